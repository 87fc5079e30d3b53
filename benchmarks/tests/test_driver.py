"""The driver's version, from a library that is none."""

import ctypes
import types
import unittest
from unittest import mock

import driver


def library(started=0, found=0):
    def version(text, size):
        text.value = b"580.65.06"
        return found

    ended = []
    return types.SimpleNamespace(
        nvmlInit_v2=lambda: started,
        nvmlSystemGetDriverVersion=version,
        nvmlShutdown=lambda: ended.append(True),
        ended=ended,
    )


class DriverTest(unittest.TestCase):
    def version(self, nvml):
        with mock.patch.object(ctypes, "CDLL", lambda name: nvml):
            return driver.version()

    def test_version(self):
        nvml = library()
        self.assertEqual(self.version(nvml), "580.65.06")
        self.assertEqual(nvml.ended, [True])

    def test_errors(self):
        self.assertIsNone(self.version(library(started=9)))
        self.assertIsNone(self.version(library(found=9)))
        self.assertIsNone(self.version(types.SimpleNamespace()))
        self.assertIsNone(driver.version("libthat-is-not-there.so"))


if __name__ == "__main__":
    unittest.main()

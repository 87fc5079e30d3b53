//===- NpyTest.cpp - NumPy's array files ----------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace grout;
using namespace grout::run;
using testing::HasSubstr;

namespace {

class Npy : public testing::Test {
protected:
  ~Npy() override { std::remove(path.c_str()); }

  static HostTensor makeTensor(grout_element_type type,
                               std::vector<int64_t> shape) {
    HostTensor tensor;
    EXPECT_FALSE(tensor.allocate("t", {type, std::move(shape)}).isError());
    for (uint64_t i = 0; i != tensor.data.size(); ++i)
      tensor.data.data()[i] = static_cast<uint8_t>(i * 37 + 11);
    return tensor;
  }

  std::string readFile() const {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  void writeFile(const std::string &bytes) const {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  /// A version 1.0 file with this dictionary and `dataBytes` zeros.
  static std::string makeFile(const std::string &dictionary, size_t dataBytes) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(dictionary.size() & 0xff);
    bytes += static_cast<char>(dictionary.size() >> 8);
    return bytes + dictionary + std::string(dataBytes, '\0');
  }

  /// Reads the file as f32[2x3]; returns the error's message.
  std::string readError() const {
    HostTensor tensor = makeTensor(GROUT_F32, {2, 3});
    return readNpy(path, BFloatFiles::Void2, tensor).message();
  }

  /// ctest runs the tests in processes of their own, several at a time.
  std::string path = testing::TempDir() + "grout-npy-test-" +
                     std::to_string(getpid()) + ".npy";
};

TEST_F(Npy, RoundTrips) {
  for (grout_element_type type : {GROUT_F16, GROUT_BF16, GROUT_F32, GROUT_F64,
                                  GROUT_I8, GROUT_I16, GROUT_I32, GROUT_I64})
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {5}, {3, 7}, {2, 3, 4, 5}, {1, 70000}})
      for (BFloatFiles bfloat : {BFloatFiles::Void2, BFloatFiles::Uint16}) {
        HostTensor written = makeTensor(type, shape);
        ASSERT_EQ(writeNpy(path, bfloat, written).message(), "");
        HostTensor read = makeTensor(type, shape);
        std::memset(read.data.data(), 0, read.data.size());
        ASSERT_EQ(readNpy(path, bfloat, read).message(), "");
        EXPECT_EQ(std::memcmp(read.data.data(), written.data.data(),
                              written.data.size()),
                  0);
      }
}

TEST_F(Npy, WritesWhatNumpyWrites) {
  HostTensor tensor = makeTensor(GROUT_F16, {3});
  ASSERT_EQ(writeNpy(path, BFloatFiles::Void2, tensor).message(), "");
  std::string expected("\x93NUMPY\x01\x00v\x00", 10);
  expected += "{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }";
  expected.resize(127, ' ');
  expected += '\n';
  expected.append(reinterpret_cast<const char *>(tensor.data.data()), 6);
  EXPECT_EQ(readFile(), expected);
}

TEST_F(Npy, ReadsOtherSpellings) {
  const char *dictionaries[] = {
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
      "{'shape':(2,3,),'fortran_order':False,\"descr\":\"<f4\"}",
      "{ 'fortran_order' : False , 'shape' : ( 2 , 3 ) , 'descr' : '<f4' , }"};
  for (const char *dictionary : dictionaries) {
    writeFile(makeFile(dictionary, 24));
    EXPECT_EQ(readError(), "") << dictionary;
  }
}

TEST_F(Npy, IntegersAreReadWithOrWithoutSign) {
  struct {
    grout_element_type type;
    const char *written, *alsoRead;
  } const kTypes[] = {{GROUT_I8, "|i1", "|u1"},
                      {GROUT_I16, "<i2", "<u2"},
                      {GROUT_I32, "<i4", "<u4"},
                      {GROUT_I64, "<i8", "<u8"}};
  for (auto [type, written, alsoRead] : kTypes) {
    HostTensor tensor = makeTensor(type, {3});
    ASSERT_EQ(writeNpy(path, BFloatFiles::Uint16, tensor).message(), "");
    EXPECT_THAT(readFile(), HasSubstr(std::string("{'descr': '") + written));
    for (std::string descr : {written, alsoRead}) {
      writeFile(makeFile("{'descr': '" + descr +
                             "', 'fortran_order': False, 'shape': (3,)}",
                         tensor.data.size()));
      EXPECT_EQ(readNpy(path, BFloatFiles::Void2, tensor).message(), "");
    }
    writeFile(makeFile("{'descr': '<f4', 'fortran_order': False, "
                       "'shape': (3,)}",
                       12));
    EXPECT_THAT(readNpy(path, BFloatFiles::Void2, tensor).message(),
                HasSubstr("elements are '<f4', not '" + std::string(written)));
  }
}

TEST_F(Npy, TruthValuesAreZeroOrOne) {
  HostTensor tensor = makeTensor(GROUT_I1, {3});
  for (uint64_t i = 0; i != 3; ++i)
    tensor.data.data()[i] = i % 2;
  ASSERT_EQ(writeNpy(path, BFloatFiles::Void2, tensor).message(), "");
  std::string bytes = readFile();
  EXPECT_THAT(bytes, HasSubstr("{'descr': '|b1'"));
  EXPECT_EQ(bytes.substr(bytes.size() - 3), std::string("\0\1\0", 3));
  EXPECT_EQ(readNpy(path, BFloatFiles::Void2, tensor).message(), "");
  bytes.back() = 2;
  writeFile(bytes);
  EXPECT_THAT(readNpy(path, BFloatFiles::Void2, tensor).message(),
              HasSubstr("a truth value is neither 0 nor 1"));
  writeFile(
      makeFile("{'descr': '|i1', 'fortran_order': False, 'shape': (3,)}", 3));
  EXPECT_THAT(readNpy(path, BFloatFiles::Void2, tensor).message(),
              HasSubstr("elements are '|i1', not '|b1'"));
}

TEST_F(Npy, ReadsVersionTwo) {
  std::string text =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";
  std::string bytes("\x93NUMPY\x02\x00", 8);
  bytes += static_cast<char>(text.size());
  bytes += std::string(3, '\0') + text + std::string(24, '\0');
  writeFile(bytes);
  EXPECT_EQ(readError(), "");
}

TEST_F(Npy, RefusesWhatIsNoNpyFile) {
  EXPECT_THAT(readError(), HasSubstr("cannot open"));
  writeFile("");
  EXPECT_THAT(readError(), HasSubstr("magic"));
  writeFile("PK\x03\x04 and more of a zip file");
  EXPECT_THAT(readError(), HasSubstr("magic"));
  writeFile(std::string("\x93NUMPY\x04\x00\x00\x00\x00\x00", 12));
  EXPECT_THAT(readError(), HasSubstr("version 4.0"));
  writeFile(std::string("\x93NUMPY\x01\x00\xff\xff{", 11));
  EXPECT_THAT(readError(), HasSubstr("header is truncated"));
}

TEST_F(Npy, RefusesMalformedHeaders) {
  const char *dictionaries[] = {
      "",
      "{",
      "{}",
      "{'descr': '<f4', 'fortran_order': False}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x",
      "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2, 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': [2, 3]}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (6)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
      "{'descr': '<f4', 'fortran_order': False, "
      "'shape': (2, 99999999999999999999)}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, "
      "'shape': (2, 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}",
      "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '<f4 'fortran_order': False, 'shape': (2, 3)}",
  };
  for (const char *dictionary : dictionaries) {
    writeFile(makeFile(dictionary, 24));
    EXPECT_THAT(readError(), HasSubstr("header cannot be read")) << dictionary;
  }
}

TEST_F(Npy, RefusesOtherArrays) {
  writeFile(makeFile(
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", 48));
  EXPECT_THAT(readError(),
              HasSubstr("elements are '<f8', not '<f4', but 't' is f32[2x3]"));
  writeFile(makeFile(
      "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3)}", 24));
  EXPECT_THAT(readError(), HasSubstr("elements are '>f4'"));
  writeFile(makeFile(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}", 24));
  EXPECT_THAT(readError(), HasSubstr("shape is (3, 2), but 't' is f32[2x3]"));
  writeFile(
      makeFile("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", 24));
  EXPECT_THAT(readError(), HasSubstr("shape is (6,)"));
  writeFile(
      makeFile("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", 24));
  EXPECT_THAT(readError(), HasSubstr("Fortran order"));
}

TEST_F(Npy, RefusesWrongLengths) {
  const char *dictionary =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";
  writeFile(makeFile(dictionary, 23));
  EXPECT_THAT(readError(), HasSubstr("truncated: 23 of 24 bytes"));
  writeFile(makeFile(dictionary, 25));
  EXPECT_THAT(readError(), HasSubstr("after its last element"));
  // Longer than what is read together with the header.
  HostTensor big = makeTensor(GROUT_F32, {300, 300});
  ASSERT_EQ(writeNpy(path, BFloatFiles::Void2, big).message(), "");
  std::string bytes = readFile();
  writeFile(bytes + 'x');
  EXPECT_THAT(readNpy(path, BFloatFiles::Void2, big).message(),
              HasSubstr("after its last element"));
  writeFile(bytes.substr(0, bytes.size() - 1));
  EXPECT_THAT(readNpy(path, BFloatFiles::Void2, big).message(),
              HasSubstr("truncated"));
}

TEST_F(Npy, ReportsWhereItCannotWrite) {
  HostTensor tensor = makeTensor(GROUT_F32, {3});
  EXPECT_THAT(
      writeNpy("/nonexistent/a.npy", BFloatFiles::Void2, tensor).message(),
      HasSubstr("cannot create '/nonexistent/a.npy'"));
  EXPECT_THAT(writeNpy("/dev/full", BFloatFiles::Void2, tensor).message(),
              HasSubstr("cannot write '/dev/full'"));
}

} // namespace

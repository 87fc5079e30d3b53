"""Runs a tool with a limit on time and memory."""

import dataclasses
import os
import pathlib
import resource
import signal
import subprocess


@dataclasses.dataclass(frozen=True)
class Limits:
    """Seconds are of processors, so that a busy machine is no hang; the clock
    may take several times as many. Files that would be larger than `file`
    bytes are as on a full disk."""

    seconds: float = 5
    memory: int = 4 << 30
    file: int | None = None

    _CLOCK = 6

    @property
    def clock(self):
        return self.seconds * self._CLOCK

    def slower(self, times):
        return dataclasses.replace(self, seconds=self.seconds * times)

    def with_file(self, size):
        return dataclasses.replace(self, file=size)

    def with_memory(self, size):
        return dataclasses.replace(self, memory=size)

    def apply(self):
        """In the process that is to be the tool."""
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))
        whole = max(1, int(self.seconds + 0.5))
        # Whoever catches the first signal does not catch the second.
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
        if self.file is not None:
            # Writes then fail with an error, as on a full disk; LLVM would
            # take the signal for a crash, even if it was ignored.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGXFSZ})
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.file, self.file))


@dataclasses.dataclass(frozen=True)
class Done:
    command: list
    limits: Limits
    status: int
    stdout: str
    stderr: str
    timed_out: bool = False

    @property
    def output(self):
        return self.stdout + self.stderr


def start(command, limits, folder=None, stdout=subprocess.PIPE, **options):
    """A process that is the first of its group."""
    environment = {**os.environ, **options.pop("environment", {})}
    return subprocess.Popen(
        list(map(str, command)),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
        preexec_fn=limits.apply,
        **options,
    )


def run(command, limits=Limits(), folder=None, **options):
    process = start(command, limits, folder, **options)
    return finish(process, command, limits)


def finish(process, command, limits):
    timed_out = False
    try:
        stdout, stderr = process.communicate(timeout=limits.clock)
    except subprocess.TimeoutExpired:
        timed_out = True
        end(process)
        stdout, stderr = process.communicate()
    except BaseException:
        end(process)
        raise
    return Done(
        list(map(str, command)),
        limits,
        process.returncode,
        (stdout or b"").decode(errors="replace"),
        (stderr or b"").decode(errors="replace"),
        timed_out,
    )


def end(process):
    """With all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


@dataclasses.dataclass(frozen=True)
class Tools:
    """Grout's programs, in the folder `bin` of the build, and what else attacks
    use."""

    build: pathlib.Path
    limits: Limits = Limits()

    def path(self, name):
        return self.build / "bin" / name

    def has(self, name):
        return self.path(name).exists()

    def run(self, name, *arguments, **options):
        options.setdefault("limits", self.limits)
        return run([self.path(name), *arguments], **options)

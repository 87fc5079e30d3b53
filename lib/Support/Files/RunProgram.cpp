//===- RunProgram.cpp - Programs that end with this process ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Support/RunProgram.h"

#include "Children.h"

#include "llvm/ADT/STLExtras.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

using namespace grout;

namespace {

/// A pipe that exec does not pass on; both ends are -1 without one.
struct Pipe {
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) < 0)
      ends[0] = ends[1] = -1;
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;

  void close(int end) {
    if (ends[end] >= 0)
      ::close(ends[end]);
    ends[end] = -1;
  }

  /// To read from, and to write to.
  int ends[2];
};

/// What `output`, `errors` and `problem` of a child go through. `problem` gets
/// the number of the error that keeps the child from becoming its program.
struct Pipes {
  bool areOpen() const {
    return output.ends[1] >= 0 && errors.ends[1] >= 0 && problem.ends[1] >= 0;
  }
  void closeWriteEnds() {
    for (Pipe *pipe : {&output, &errors, &problem})
      pipe->close(1);
  }

  Pipe output, errors, problem;
};

/// The arguments of execv, made before vfork: a child allocates nothing.
class Command {
public:
  Command(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> arguments)
      : path(path) {
    for (llvm::StringRef argument : arguments)
      texts.push_back(argument.str());
    for (std::string &text : texts)
      pointers.push_back(text.data());
    pointers.push_back(nullptr);
  }

  void execute() const { ::execv(path.c_str(), pointers.data()); }

private:
  std::string path;
  std::vector<std::string> texts;
  std::vector<char *> pointers;
};

/// Blocks all signals of this thread while the object exists.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  BlockedSignals(const BlockedSignals &) = delete;
  BlockedSignals &operator=(const BlockedSignals &) = delete;

  /// The signals that were blocked before.
  sigset_t before;
};

} // namespace

static std::string describe(llvm::StringRef what, int number) {
  return (what + ": ").str() + std::generic_category().message(number);
}

/// Lets no handler of the parent run in this process, and unblocks what the
/// parent has not blocked. Whoever ignores or blocks SIGTERM passes that on.
static void resetSignals(sigset_t blocked) {
  for (int number = 1; number != NSIG; ++number) {
    struct sigaction action;
    if (::sigaction(number, nullptr, &action) == 0 &&
        (number == SIGTERM || action.sa_handler != SIG_IGN)) {
      action = {};
      action.sa_handler = SIG_DFL;
      ::sigaction(number, &action, nullptr);
    }
  }
  ::sigdelset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

/// Redirects and executes; returns only if it cannot. The child of vfork has
/// the memory of its parent, other threads of which may hold locks, so that all
/// that it calls must be async-signal-safe.
static void becomeProgram(const Command &command, const Pipes &pipes,
                          pid_t parent) {
  // The parent may have ended before that was asked for.
  if (::prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || ::getppid() != parent)
    return;
  int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input >= 0 && ::dup2(input, STDIN_FILENO) >= 0 &&
      ::dup2(pipes.output.ends[1], STDOUT_FILENO) >= 0 &&
      ::dup2(pipes.errors.ends[1], STDERR_FILENO) >= 0)
    command.execute();
}

[[noreturn]] static void runChild(const Command &command, const Pipes &pipes,
                                  pid_t parent, const sigset_t &blocked) {
  resetSignals(blocked);
  becomeProgram(command, pipes, parent);
  int number = errno;
  ssize_t written = ::write(pipes.problem.ends[1], &number, sizeof(number));
  ::_exit(written == sizeof(number) ? 127 : 126);
}

/// Starts the program. Returns the number of its process, or -1 and sets errno.
/// A copy of a large process, as fork makes it, would take longer than a linker
/// runs. posix_spawn makes none, but its child could not ask for a signal at
/// the end of its parent.
static pid_t start(const Command &command, const Pipes &pipes) {
  if (!pipes.areOpen())
    return -1;
  BlockedSignals signals;
  // NOLINTNEXTLINE(bugprone-unsafe-functions): see above.
  pid_t parent = ::getpid(), child = ::vfork();
  if (child == 0)
    runChild(command, pipes, parent, signals.before);
  return child;
}

/// Appends what is in `pipe` to `text`; closes it at its end.
static void readSome(Pipe &pipe, std::string &text) {
  char buffer[1 << 16];
  ssize_t size = ::read(pipe.ends[0], buffer, sizeof(buffer));
  if (size > 0)
    text.append(buffer, size);
  else if (size == 0 || errno != EINTR)
    pipe.close(0);
}

/// Reads all pipes to their ends.
static void readAll(Pipes &pipes, ProgramResult &result, std::string &problem) {
  std::pair<Pipe *, std::string *> targets[] = {{&pipes.output, &result.output},
                                                {&pipes.errors, &result.errors},
                                                {&pipes.problem, &problem}};
  auto isOpen = [](auto &target) { return target.first->ends[0] >= 0; };
  while (llvm::any_of(targets, isOpen)) {
    pollfd waited[3];
    // Negative descriptors are left out.
    for (int i = 0; i < 3; ++i)
      waited[i] = {targets[i].first->ends[0], POLLIN, 0};
    if (::poll(waited, 3, /*timeout=*/-1) < 0)
      continue;
    for (int i = 0; i < 3; ++i)
      if (waited[i].revents)
        readSome(*targets[i].first, *targets[i].second);
  }
}

/// Reads what `child` writes, and waits for it to end.
static void follow(pid_t child, Pipes &pipes, ProgramResult &result) {
  std::string problem;
  {
    // Its number may be another's as soon as it has been waited for.
    RunningChild running(child);
    readAll(pipes, result, problem);
    siginfo_t info;
    while (::waitid(P_PID, child, &info, WEXITED | WNOWAIT) < 0 &&
           errno == EINTR)
      continue;
  }
  int status = 0, number = 0;
  if (::waitpid(child, &status, 0) < 0)
    result.problem = describe("cannot wait for it", errno);
  else if (problem.size() == sizeof(number)) {
    std::memcpy(&number, problem.data(), sizeof(number));
    result.problem = describe("cannot execute it", number);
  } else if (WIFSIGNALED(status))
    result.problem = ::strsignal(WTERMSIG(status));
  else
    result.status = WEXITSTATUS(status);
}

ProgramResult grout::runProgram(llvm::StringRef path,
                                llvm::ArrayRef<llvm::StringRef> arguments) {
  ProgramResult result;
  Command command(path, arguments);
  Pipes pipes;
  pid_t child = start(command, pipes);
  if (child < 0) {
    result.problem = describe("cannot start it", errno);
    return result;
  }
  pipes.closeWriteEnds();
  follow(child, pipes, result);
  return result;
}

//===- Children.cpp - Processes that end before their files go ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Children.h"

#include <cerrno>
#include <csignal>
#include <mutex>
#include <poll.h>
#include <sys/wait.h>

using namespace grout;

/// More than there are threads that compile.
static constexpr int kMaxChildren = 256;

/// How long a child may take to end before it is killed.
static constexpr int kPatienceMilliseconds = 1000;

// All that a signal handler reads.
static std::atomic<pid_t> children[kMaxChildren];
static std::atomic<bool> areEnding;
static struct sigaction nextActions[NSIG];

/// Whether `child` has ended, or is none. It can be waited for afterwards.
static bool hasEnded(pid_t child) {
  siginfo_t info;
  info.si_pid = 0;
  return ::waitid(P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
         info.si_pid == child;
}

/// Programs of LLVM remove their own temporary files on SIGTERM.
static void endChild(pid_t child) {
  ::kill(child, SIGTERM);
  for (int waited = 0; !hasEnded(child); ++waited) {
    if (waited == kPatienceMilliseconds)
      ::kill(child, SIGKILL);
    ::poll(nullptr, 0, /*timeout=*/1);
  }
}

static void endChildrenAndPassOn(int number, siginfo_t *info, void *context) {
  int savedErrno = errno;
  areEnding = true;
  for (std::atomic<pid_t> &slot : children)
    if (pid_t child = slot)
      endChild(child);
  errno = savedErrno;
  const struct sigaction &next = nextActions[number];
  if (next.sa_flags & SA_SIGINFO)
    next.sa_sigaction(number, info, context);
  else
    next.sa_handler(number);
  // Who embeds Grout may let the process live.
  areEnding = false;
}

/// Comes before who handles signal `number` now, if anybody does.
static void comeFirst(int number) {
  struct sigaction action;
  if (::sigaction(number, nullptr, &action) < 0)
    return;
  bool isHandled =
      (action.sa_flags & SA_SIGINFO) ||
      (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
  if (!isHandled || action.sa_sigaction == endChildrenAndPassOn)
    return;
  nextActions[number] = action;
  action.sa_sigaction = endChildrenAndPassOn;
  action.sa_flags |= SA_SIGINFO;
  ::sigaction(number, &action, nullptr);
}

RunningChild::RunningChild(pid_t child) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  // LLVM's handlers are there once there is a temporary file, and again after
  // a signal that did not end the process.
  for (int number : {SIGHUP, SIGINT, SIGTERM})
    comeFirst(number);
  for (std::atomic<pid_t> &candidate : children)
    if (candidate == 0) {
      slot = &candidate;
      break;
    }
  if (slot)
    *slot = child;
  // A handler that looked before does not see this one.
  if (areEnding)
    ::kill(child, SIGTERM);
}

RunningChild::~RunningChild() {
  if (slot)
    *slot = 0;
}

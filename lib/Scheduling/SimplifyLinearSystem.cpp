//===- SimplifyLinearSystem.cpp - Substitution before solving -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "LinearSystem.h"

#include "llvm/ADT/STLExtras.h"
#include <map>

namespace grout::detail {
namespace {

/// The signs that the factors of a form have.
struct Signs {
  bool positive = false, negative = false;

  explicit Signs(const LinearForm &form) {
    for (int64_t factor : llvm::ArrayRef(form).drop_back()) {
      positive |= factor > 0;
      negative |= factor < 0;
    }
  }
};

int64_t floorDivide(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0);
}

/// Replaces the variable by `value`. `support` lists the elements of `value`
/// that are not zero.
void substituteInto(LinearForm &form, unsigned variable,
                    const LinearForm &value,
                    const std::vector<unsigned> &support) {
  int64_t factor = form[variable];
  if (factor == 0)
    return;
  form[variable] = 0;
  for (unsigned i : support)
    form[i] = narrow(static_cast<Wide>(factor) * value[i] + form[i]);
}

} // namespace

void LinearSystem::substitute(unsigned variable, const LinearForm &value) {
  std::vector<unsigned> support;
  for (unsigned i = 0; i <= numVariables; ++i)
    if (value[i] != 0)
      support.push_back(i);
  for (auto *forms : {&equalities, &inequalities, &objectives})
    for (LinearForm &form : *forms)
      substituteInto(form, variable, value, support);
  for (std::vector<LinearForm> &forms : nonZeros)
    for (LinearForm &form : forms)
      substituteInto(form, variable, value, support);
}

bool LinearSystem::simplifyEqualities(std::vector<Elimination> &eliminations) {
  auto eliminate = [&](unsigned variable, LinearForm value) {
    substitute(variable, value);
    // The variable that is replaced must not be negative.
    Signs signs(value);
    if (signs.negative || value.back() < 0)
      inequalities.push_back(value);
    eliminations.push_back({variable, std::move(value)});
  };
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<LinearForm> kept;
    while (!equalities.empty()) {
      LinearForm form = std::move(equalities.back());
      equalities.pop_back();
      int64_t gcd = gcdOf(form, numVariables);
      if (gcd == 0) {
        if (form.back() != 0)
          return false;
        continue;
      }
      if (form.back() % gcd != 0)
        return false;
      for (int64_t &factor : form)
        factor /= gcd;
      Signs signs(form);
      if (signs.positive != signs.negative) {
        // The form is a sum of variables, which are not negative.
        int64_t constant = signs.positive ? form.back() : -form.back();
        if (constant > 0)
          return false;
        if (constant == 0) {
          for (unsigned i = 0; i < numVariables; ++i)
            if (form[i] != 0)
              eliminate(i, makeForm());
          changed = true;
          continue;
        }
      }
      // Choose the last variable with a unit factor, so that the first ones
      // remain.
      unsigned pivot = numVariables;
      while (pivot > 0 && std::abs(form[pivot - 1]) != 1)
        --pivot;
      if (pivot == 0) {
        kept.push_back(std::move(form));
        continue;
      }
      int64_t factor = std::exchange(form[--pivot], 0);
      if (factor == 1)
        for (int64_t &other : form)
          other = -other;
      // The substitution changes rows that were set aside, too.
      equalities.insert(equalities.end(), kept.begin(), kept.end());
      kept.clear();
      eliminate(pivot, std::move(form));
      changed = true;
    }
    equalities = std::move(kept);
  }
  return true;
}

bool LinearSystem::simplifyInequalities() {
  // For each normal vector, the tightest constant.
  std::map<LinearForm, int64_t> tightest;
  for (LinearForm &form : inequalities) {
    int64_t gcd = gcdOf(form, numVariables);
    if (gcd == 0) {
      if (form.back() < 0)
        return false;
      continue;
    }
    int64_t constant = floorDivide(form.back(), gcd);
    form.pop_back();
    for (int64_t &factor : form)
      factor /= gcd;
    auto [it, inserted] = tightest.try_emplace(std::move(form), constant);
    it->second = std::min(it->second, constant);
  }
  inequalities.clear();
  for (const auto &[normal, constant] : tightest) {
    LinearForm form = normal;
    form.push_back(constant);
    Signs signs(form);
    if (!signs.negative && constant >= 0)
      continue;
    if (!signs.positive && constant < 0)
      return false;
    LinearForm opposite = normal;
    for (int64_t &factor : opposite)
      factor = -factor;
    auto it = tightest.find(opposite);
    if (it != tightest.end() && static_cast<Wide>(it->second) + constant < 0)
      return false;
    if ((!signs.positive && constant == 0) ||
        (it != tightest.end() && it->second == -constant)) {
      // Of two opposite inequalities, the first becomes the equality.
      if (it == tightest.end() || normal < opposite || !signs.positive)
        equalities.push_back(std::move(form));
      continue;
    }
    inequalities.push_back(std::move(form));
  }
  return true;
}

bool LinearSystem::simplify(std::vector<Elimination> &eliminations) {
  do {
    if (!simplifyEqualities(eliminations))
      return false;
    size_t kept = equalities.size();
    if (!simplifyInequalities())
      return false;
    if (equalities.size() == kept)
      break;
  } while (true);
  // A constant form either satisfies its group, or is dropped.
  for (auto it = nonZeros.begin(); it != nonZeros.end();) {
    auto isConstant = [&](const LinearForm &form) {
      return gcdOf(form, numVariables) == 0;
    };
    bool holds = llvm::any_of(*it, [&](const LinearForm &form) {
      return isConstant(form) && form.back() != 0;
    });
    if (holds) {
      it = nonZeros.erase(it);
      continue;
    }
    llvm::erase_if(*it, isConstant);
    if (it->empty())
      return false;
    ++it;
  }
  return true;
}

} // namespace grout::detail

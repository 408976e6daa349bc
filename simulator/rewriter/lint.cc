#include "simulator/rewriter/lint.h"

#include "simulator/rewriter/lint_context.h"
#include "simulator/rewriter/lint_rules.h"

namespace simulator {

std::vector<Finding> lint(std::string_view source, const LintOptions& options) {
  const SourceRegions file = find_regions(source);
  LintContext context(file, options);
  lint_qualifiers(context);
  for (const Function& function : context.declarations().functions) {
    if (!context.is_judged(function)) continue;
    const LintContext::Uses uses = context.uses_in(function);
    lint_calls(context, function, uses);
    lint_variables(context, function, uses);
    if (function.is_device_only()) lint_arrays(context, function);
    if (!function.is_host_only()) lint_device_code(context, function);
  }
  return context.findings();
}

}  // namespace simulator

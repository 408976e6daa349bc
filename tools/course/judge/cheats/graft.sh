#!/bin/sh
# graft.sh SOLUTION CHEAT: prints the solution of lesson 00 with a cheat in it. What the cheat has
# above its line "// ---- map" comes in front of the lesson's namespace; what it has below becomes the
# body of the function of exercise 00.1. The other exercises stay as they are.
awk -v cheat="$2" '
  BEGIN {
    while ((getline line < cheat) > 0) {
      if (line == "// ---- map") in_map = 1
      else if (in_map) body = body line "\n"
      else top = top line "\n"
    }
  }
  /^namespace andrea::lesson00 / { print top }
  /^}  \/\/ namespace andrea::lesson00/ {
    print "void map(const float* x, float* y, float slope, float offset, int n, const Launch& launch) {"
    print "  static_cast<void>(x), static_cast<void>(y), static_cast<void>(slope);"
    print "  static_cast<void>(offset), static_cast<void>(n), static_cast<void>(launch);"
    print body "}\n"
  }
  { sub(/^void map\(/, "void honest_map("); print }
' "$1"

#include "tools/site/layout.h"

#include "tools/site/markdown.h"

namespace andrea::site {
namespace {

std::string tab_of(const Page& page, bool front) {
  const std::string title = " title=\"" + escaped_html(page.title) + "\"/>\n";
  if (page.path == "@topics") return "<tab type=\"modules\" visible=\"yes\"" + title;
  if (page.path == "@classes") return "<tab type=\"classindex\" visible=\"yes\"" + title;
  if (front) return "<tab type=\"mainpage\" visible=\"yes\"" + title;
  return "<tab type=\"user\" url=\"@ref " + page.id + "\"" + title;
}

}  // namespace

std::string layout_of(const SiteMap& site) {
  std::string xml = "<doxygenlayout version=\"1.0\">\n<navindex>\n";
  bool front = true;
  for (const Section& section : site.sections()) {
    xml +=
        "<tab type=\"usergroup\" url=\"[none]\" title=\"" + escaped_html(section.title) + "\">\n";
    for (const Page& page : section.pages) {
      xml += tab_of(page, front);
      front = false;
    }
    xml += "</tab>\n";
  }
  // A topic's text is its header's manual: it comes first.
  return xml + R"(</navindex>
<group>
  <detaileddescription title=""/>
  <groupgraph visible="no"/>
  <memberdecl>
    <nestedgroups visible="yes" title=""/>
    <classes visible="yes" title=""/>
    <defines title=""/>
    <typedefs title=""/>
    <enums title=""/>
    <enumvalues title=""/>
    <functions title=""/>
    <variables title=""/>
    <membergroups visible="yes"/>
  </memberdecl>
  <memberdef>
    <inlineclasses title=""/>
    <defines title=""/>
    <typedefs title=""/>
    <enums title=""/>
    <enumvalues title=""/>
    <functions title=""/>
    <variables title=""/>
  </memberdef>
</group>
</doxygenlayout>
)";
}

}  // namespace andrea::site

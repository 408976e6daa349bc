// File: doc_comments.h
//
// Turns a C++ or CUDA source into what Doxygen reads, as its filter. In headers:
//
// - the comment at the head of a file becomes the text of the file's topic, and everything in the
//   file belongs to that topic;
// - a comment above a declaration, and one behind it in its last line, document it; one behind a
//   parameter documents the parameter;
// - a comment speaks of all declarations below it down to the next empty line or comment;
// - the head speaks also of the first class or structure that has no comment of its own, and of a
//   function that is called as the file is.
//
// Types in the private part of a class are left out.
//
// In sources a kernel's launch, kernel<<<...>>>(...), becomes a call, so that call graphs have it.
// The number of every line stays what it was, but for a few below long examples.

#ifndef ANDREA_TOOLS_SITE_DOC_COMMENTS_H_
#define ANDREA_TOOLS_SITE_DOC_COMMENTS_H_

#include <string>
#include <string_view>

namespace andrea::site {

// The topic of a file: "kernels/attention.h" has `api_kernels_attention_h`, below `api_kernels`.
std::string topic_of(std::string_view path);

// The source as Doxygen is to see it. `path` is relative to the repository.
std::string with_doc_comments(std::string_view path, std::string_view source);

// kernel<<<grid, block>>>(x) as kernel(x), in as many lines.
std::string launches_as_calls(std::string_view source);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_DOC_COMMENTS_H_

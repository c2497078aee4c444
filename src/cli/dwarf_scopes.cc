#include "src/cli/dwarf_scopes.h"

#include <dwarf.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "src/cli/demangle.h"

namespace gabion::cli {
namespace {

// Whether functions with code can be found below `tag`. They are, for one, below functions without
// code: that is where compilers put the members of local classes and lambdas.
bool may_hold_functions(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
      return true;
    default:
      return false;
  }
}

struct FunctionName {
  std::string text;
  bool complete = false;  // with parameters
};

bool is_function(int tag) { return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine; }

// Fills `path` with the functions that cover `address`, outermost first.
bool descend(Dwarf_Die& parent, Dwarf_Addr address, std::vector<Dwarf_Die>& path) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return false;
  do {
    const int tag = dwarf_tag(&child);
    if (!is_function(tag) && !may_hold_functions(tag)) continue;
    const bool covers = dwarf_haspc(&child, address) == 1;
    if (covers && is_function(tag)) {
      path.push_back(child);
      descend(child, address, path);
      return true;
    }
    if ((covers || may_hold_functions(tag)) && descend(child, address, path)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

// Follows an inlined or out-of-line instance to the declaration, which stands where the function
// belongs.
Dwarf_Die declaration_of(const Dwarf_Die& function) {
  Dwarf_Die current = function;
  for (const unsigned link : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute attribute;
    Dwarf_Die target;
    if (dwarf_formref_die(dwarf_attr(&current, link, &attribute), &target) != nullptr) {
      current = target;
    }
  }
  return current;
}

// "space::Class::" in front of the name: local functions of C++ have no symbol that would say it.
std::string enclosing_scopes(Dwarf_Die declaration) {
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &scopes);
  std::string text;
  for (int i = 1; i < count; ++i) {
    switch (dwarf_tag(&scopes[i])) {
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
      case DW_TAG_subprogram: {
        const char* name = dwarf_diename(&scopes[i]);
        text.insert(0, std::string(name == nullptr ? "(anonymous namespace)" : name) + "::");
        break;
      }
      default:
        break;
    }
  }
  std::free(scopes);
  return text;
}

FunctionName function_name(Dwarf_Die& function) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(&function, name, &attribute) == nullptr) continue;
    if (const char* symbol = dwarf_formstring(&attribute); symbol != nullptr) {
      return {demangle(symbol), true};
    }
  }
  const char* name = dwarf_diename(&function);
  if (name == nullptr) return {};
  return {enclosing_scopes(declaration_of(function)) + name, false};
}

// Absolute, but for builds in a directory that was made to look the same on every machine.
std::string source_path(Dwarf_Die& unit, const char* name) {
  if (name == nullptr) return {};
  constexpr std::string_view kNowhere = "/proc/self/cwd/";
  std::string path = name;
  if (!path.starts_with('/')) {
    Dwarf_Attribute attribute;
    const char* directory = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
    if (path.starts_with("./")) path.erase(0, 2);
    if (directory != nullptr) path = std::string(directory) + '/' + path;
  }
  return path.starts_with(kNowhere) ? path.substr(kNowhere.size()) : path;
}

int number(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(&die, name, &attribute), &value) != 0) return 0;
  return static_cast<int>(value);
}

void set_line(Dwarf_Die& unit, Dwarf_Addr address, SourceLocation& location) {
  Dwarf_Line* line = dwarf_getsrc_die(&unit, address);
  if (line == nullptr) return;
  location.file = source_path(unit, dwarf_linesrc(line, nullptr, nullptr));
  dwarf_lineno(line, &location.line);
  dwarf_linecol(line, &location.column);
}

void set_call_site(Dwarf_Die& unit, Dwarf_Die& inlined, SourceLocation& caller) {
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  const auto index = static_cast<size_t>(number(inlined, DW_AT_call_file));
  if (dwarf_getsrcfiles(&unit, &files, &count) == 0 && index < count) {
    caller.file = source_path(unit, dwarf_filesrc(files, index, nullptr, nullptr));
  }
  caller.line = number(inlined, DW_AT_call_line);
  caller.column = number(inlined, DW_AT_call_column);
}

}  // namespace

UnitLocations locate_in_unit(Dwarf_Die& unit, Dwarf_Addr address) {
  // A unit of split DWARF holds only where its real one is.
  Dwarf_Die split;
  uint8_t unit_type = 0;
  Dwarf_Die* scopes_unit = &unit;
  if (dwarf_cu_info(unit.cu, nullptr, &unit_type, nullptr, &split, nullptr, nullptr, nullptr) ==
          0 &&
      unit_type == DW_UT_skeleton && dwarf_tag(&split) == DW_TAG_compile_unit) {
    scopes_unit = &split;
  }
  std::vector<Dwarf_Die> path;
  descend(*scopes_unit, address, path);
  std::reverse(path.begin(), path.end());

  std::vector<SourceLocation> locations(std::max<size_t>(path.size(), 1));
  set_line(unit, address, locations.front());
  bool outermost_is_complete = false;
  for (size_t i = 0; i < path.size(); ++i) {
    const FunctionName name = function_name(path[i]);
    locations[i].function = name.text;
    if (i + 1 == path.size()) outermost_is_complete = name.complete;
    Dwarf_Addr entry = 0;
    if (i + 1 == path.size() && dwarf_entrypc(&path[i], &entry) == 0 && entry <= address) {
      locations[i].function_offset = address - entry;
    }
    if (i + 1 < path.size()) set_call_site(unit, path[i], locations[i + 1]);
  }
  if (path.empty() && locations.front().line == 0) return {};
  return {std::move(locations), outermost_is_complete};
}

}  // namespace gabion::cli

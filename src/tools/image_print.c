// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list as text, a line a thing, and as JSON.
#include "tools/image_report.h"
#include "tools/printed_text.h"

static void put_place(tn_buf *out, tn_str file, uint32_t line) {
  if (file.size > 0) {
    tn_buf_add_text(out, " at=");
    tn_print_text(out, file);
    if (line > 0) {
      tn_buf_add_format(out, ":%u", line);
    }
  }
}

static void put_line_start(tn_buf *out, const char *what, tn_str display_name, tn_str name) {
  tn_buf_add_format(out, "    %s ", what);
  tn_print_text(out, display_name.size > 0 ? display_name : name);
  tn_buf_add_text(out, " symbol=");
  tn_print_text(out, name);
}

static void print_symbol(tn_buf *out, const char *what, const tn_symbol_info *info) {
  put_line_start(out, what, info->display_name, info->name);
  if (info->flags & TN_SYMBOL_WEAK) {
    tn_buf_add_text(out, " weak");
  }
  if (info->flags & TN_SYMBOL_HIDDEN) {
    tn_buf_add_text(out, " hidden");
  }
  put_place(out, info->file, info->line);
  if (info->user.size > 0 && strcmp(what, "import") == 0) {
    tn_buf_add_text(out, " needed-by=");
    tn_print_text(out, info->user);
  }
  tn_buf_add_char(out, '\n');
}

static void put_hex(tn_buf *out, tn_bytes bytes) {
  for (size_t i = 0; i < bytes.size; i++) {
    tn_buf_add_format(out, "%02x", (unsigned)bytes.data[i]);
  }
}

static bool has_meaning(tn_str set_name) {
  return tn_str_equals(set_name, TN_STR_LIT(TN_PROPS_KERNELS)) ||
         tn_str_equals(set_name, TN_STR_LIT(TN_PROPS_IMPORTED)) ||
         tn_str_equals(set_name, TN_STR_LIT(TN_PROPS_EXPORTED)) ||
         tn_str_equals(set_name, TN_STR_LIT(TN_PROPS_REQUIREMENTS)) ||
         tn_str_equals(set_name, TN_STR_LIT(TN_PROPS_SPECS)) ||
         tn_str_equals(set_name, TN_STR_LIT(TN_PROPS_GLOBALS)) ||
         tn_str_equals(set_name, TN_STR_LIT(TN_PROPS_SPEC_DEFAULTS));
}

static void print_prop(tn_buf *out, const tn_prop_set *set, const tn_prop *prop) {
  tn_buf_add_text(out, "    property ");
  tn_print_text(out, set->name);
  tn_buf_add_text(out, ": ");
  tn_print_text(out, prop->name);
  if (prop->type == TN_PROP_U32) {
    tn_buf_add_format(out, " = %u", prop->u32);
  } else if (tn_text_is_printable((tn_str){(const char *)prop->bytes.data, prop->bytes.size})) {
    tn_buf_add_text(out, " = \"");
    tn_print_text(out, (tn_str){(const char *)prop->bytes.data, prop->bytes.size});
    tn_buf_add_char(out, '"');
  } else {
    const size_t shown = prop->bytes.size < 32 ? prop->bytes.size : 32;
    tn_buf_add_format(out, " = %zu bytes ", prop->bytes.size);
    put_hex(out, (tn_bytes){prop->bytes.data, shown});
    tn_buf_add_text(out, shown < prop->bytes.size ? "..." : "");
  }
  tn_buf_add_char(out, '\n');
}

static void put_aspect(tn_buf *out, uint32_t number) {
  const char *name = tn_aspect_name(number);
  if (name) {
    tn_buf_add_format(out, "aspect::%s", name);
  } else {
    tn_buf_add_format(out, "aspect#%u", number);
  }
}

// What the image asks of a device.
static void print_requirements(tn_buf *out, const tn_image *image) {
  uint32_t size[3];
  const uint32_t aspect_count = tn_image_aspect_count(image);
  const bool has_group = tn_image_required_group_size(image, size);
  const uint32_t sub_group = tn_image_required_sub_group_size(image);
  if (aspect_count == 0 && !has_group && sub_group == 0) {
    return;
  }
  tn_buf_add_text(out, "    needs");
  for (uint32_t i = 0; i < aspect_count; i++) {
    tn_buf_add_char(out, ' ');
    put_aspect(out, tn_image_aspect_at(image, i));
  }
  if (has_group) {
    tn_buf_add_format(out, " group=%ux%ux%u", size[0], size[1], size[2]);
  }
  if (sub_group != 0) {
    tn_buf_add_format(out, " sub_group=%u", sub_group);
  }
  tn_buf_add_char(out, '\n');
}

static void print_specs(tn_buf *out, const tn_image *image) {
  for (uint32_t i = 0; i < tn_image_spec_count(image); i++) {
    const tn_spec_info info = tn_image_spec_at(image, i);
    tn_buf_add_text(out, "    specialization constant symbol=");
    tn_print_text(out, info.name);
    tn_buf_add_format(out, " size=%u align=%u default=", info.size, info.alignment);
    put_hex(out, tn_bytes_from(info.value.data, info.size < 32 ? info.size : 32));
    tn_buf_add_text(out, info.size > 32 ? "...\n" : "\n");
  }
}

static void print_globals(tn_buf *out, const tn_image *image) {
  for (uint32_t i = 0; i < tn_image_global_count(image); i++) {
    const tn_global_info info = tn_image_global_at(image, i);
    tn_buf_add_text(out, "    device global ");
    tn_print_text(out, info.display_name);
    tn_buf_add_text(out, " symbol=");
    tn_print_text(out, info.name);
    tn_buf_add_format(out, " size=%u align=%u%s%s%s\n", info.size, info.alignment,
                      info.is_declared ? " declared" : "",
                      info.is_image_scope ? " device_image_scope" : "",
                      info.value.size > 0 ? " initialized" : "");
  }
}

// "(0+8 pointer, 8+4 value)": offset and size of each.
static void print_args(tn_buf *out, const tn_kernel_info *info) {
  if ((info->flags & TN_KERNEL_IS_FUNCTION) == 0) {
    return;
  }
  const uint32_t dimensions = info->flags >> TN_KERNEL_DIMENSIONS_AT & 3u;
  tn_buf_add_text(out, info->flags & TN_KERNEL_IS_SINGLE_TASK ? " single_task" : "");
  if (dimensions != 0) {
    tn_buf_add_format(out, "<%u>", dimensions);
  }
  tn_buf_add_text(out, " function(");
  for (size_t i = 0; i < tn_kernel_info_arg_count(info); i++) {
    const tn_kernel_arg_info arg = tn_kernel_info_arg_at(info, i);
    tn_buf_add_format(out, "%s%u+%u %s", i > 0 ? ", " : "", arg.offset, arg.size,
                      tn_kernel_arg_kind_name(arg.kind));
  }
  tn_buf_add_char(out, ')');
}

static void print_image(tn_buf *out, uint32_t index, const tn_image *image) {
  tn_buf_add_format(out, "  image %u: target=", index);
  tn_print_text(out, image->target);
  tn_buf_add_text(out, " triple=");
  tn_print_text(out, image->triple);
  tn_buf_add_format(out, " format=%s code=%zu\n", tn_image_format_name(image->format),
                    image->code.size);
  print_requirements(out, image);
  for (uint32_t i = 0; i < tn_image_kernel_count(image); i++) {
    const tn_kernel_info info = tn_image_kernel_at(image, i);
    put_line_start(out, "kernel", info.display_name, info.name);
    tn_buf_add_format(out, " args=%u align=%u%s", info.arg_size, info.arg_align,
                      info.flags & TN_KERNEL_USES_ND_RANGE ? " nd_range" : "");
    print_args(out, &info);
    if (info.flags & TN_KERNEL_REQUIRES_GROUP_SIZE) {
      tn_buf_add_format(out, " group=%ux%ux%u", info.group_size[0], info.group_size[1],
                        info.group_size[2]);
    }
    if (info.flags & TN_KERNEL_REQUIRES_SUB_GROUP_SIZE) {
      tn_buf_add_format(out, " sub_group=%u", info.sub_group_size);
    }
    put_place(out, info.file, info.line);
    tn_buf_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < tn_image_export_count(image); i++) {
    const tn_symbol_info info = tn_image_export_at(image, i);
    print_symbol(out, "export", &info);
  }
  for (uint32_t i = 0; i < tn_image_import_count(image); i++) {
    const tn_symbol_info info = tn_image_import_at(image, i);
    print_symbol(out, "import", &info);
  }
  print_specs(out, image);
  print_globals(out, image);
  for (uint32_t i = 0; i < tn_image_prop_set_count(image); i++) {
    const tn_prop_set set = tn_image_prop_set_at(image, i);
    for (uint32_t j = 0; j < set.count && !has_meaning(set.name); j++) {
      const tn_prop prop = tn_prop_set_at(&set, j);
      print_prop(out, &set, &prop);
    }
  }
}

// Lists of symbols have names for people of exports and of who needs an import only.
static void print_unit(tn_buf *out, size_t index, const tn_report_unit *unit) {
  tn_buf_add_format(out, "  unit %zu: target=", index);
  tn_print_text(out, unit->entry.arch);
  tn_buf_add_text(out, " triple=");
  tn_print_text(out, unit->entry.triple);
  tn_buf_add_format(out, " format=bitcode code=%zu", unit->entry.image.size);
  if (unit->entry.version.size > 0) {
    tn_buf_add_text(out, " tenon=");
    tn_print_text(out, unit->entry.version);
  }
  tn_buf_add_char(out, '\n');
  for (size_t i = 0; i < unit->list.kernel_count; i++) {
    const tn_kernel_info *info = &unit->list.kernels[i];
    put_line_start(out, "kernel", info->display_name, info->name);
    tn_buf_add_format(out, " args=%u align=%u", info->arg_size, info->arg_align);
    put_place(out, info->file, info->line);
    tn_buf_add_char(out, '\n');
  }
  for (size_t i = 0; i < unit->list.export_count; i++) {
    tn_symbol_info info = unit->list.exports[i];
    info.display_name = info.user;
    print_symbol(out, "export", &info);
  }
  for (size_t i = 0; i < unit->list.import_count; i++) {
    print_symbol(out, "import", &unit->list.imports[i]);
  }
}

static void print_file(tn_buf *out, const tn_report_file *file) {
  const uint32_t image_count = tn_report_image_count(file);
  tn_print_text(out, file->name);
  tn_buf_add_format(out, ": %s", file->kind);
  if (file->fatbins.count > 0) {
    tn_buf_add_format(out, ", %u image%s", image_count, image_count == 1 ? "" : "s");
  }
  if (file->units.count > 0) {
    tn_buf_add_format(out, ", %zu unit%s not linked yet", file->units.count,
                      file->units.count == 1 ? "" : "s");
  }
  tn_buf_add_char(out, '\n');
  for (uint32_t i = 0; i < image_count; i++) {
    const tn_image image = tn_report_image_at(file, i);
    print_image(out, i, &image);
  }
  for (size_t i = 0; i < file->units.count; i++) {
    print_unit(out, i, file->units.items[i]);
  }
}

void tn_report_print_text(tn_buf *out, const tn_report *report) {
  for (size_t i = 0; i < report->files.count; i++) {
    print_file(out, report->files.items[i]);
  }
}

static void put_key(tn_buf *out, const char *key, tn_str value) {
  tn_buf_add_format(out, ",\"%s\":", key);
  tn_print_json(out, value);
}

static void json_code(tn_buf *out, uint32_t index, tn_str target, tn_str triple, uint32_t format,
                      size_t code_size) {
  tn_buf_add_format(out, "{\"index\":%u", index);
  put_key(out, "target", target);
  put_key(out, "triple", triple);
  tn_buf_add_format(out, ",\"format\":\"%s\",\"code_size\":%zu", tn_image_format_name(format),
                    code_size);
}

static void json_args(tn_buf *out, const tn_kernel_info *info) {
  if ((info->flags & TN_KERNEL_IS_FUNCTION) == 0) {
    return;
  }
  tn_buf_add_format(out, ",\"dimensions\":%u,\"single_task\":%s,\"arguments\":[",
                    info->flags >> TN_KERNEL_DIMENSIONS_AT & 3u,
                    info->flags & TN_KERNEL_IS_SINGLE_TASK ? "true" : "false");
  for (size_t i = 0; i < tn_kernel_info_arg_count(info); i++) {
    const tn_kernel_arg_info arg = tn_kernel_info_arg_at(info, i);
    tn_buf_add_format(out, "%s{\"offset\":%u,\"size\":%u,\"kind\":\"%s\"}", i > 0 ? "," : "",
                      arg.offset, arg.size, tn_kernel_arg_kind_name(arg.kind));
  }
  tn_buf_add_char(out, ']');
}

static void json_kernels(tn_buf *out, const tn_image *image) {
  tn_buf_add_text(out, ",\"kernels\":[");
  for (uint32_t i = 0; i < tn_image_kernel_count(image); i++) {
    const tn_kernel_info info = tn_image_kernel_at(image, i);
    tn_buf_add_text(out, i > 0 ? ",{\"name\":" : "{\"name\":");
    tn_print_json(out, info.display_name);
    put_key(out, "symbol", info.name);
    tn_buf_add_format(out, ",\"arg_size\":%u,\"arg_align\":%u,\"nd_range\":%s", info.arg_size,
                      info.arg_align, info.flags & TN_KERNEL_USES_ND_RANGE ? "true" : "false");
    json_args(out, &info);
    put_key(out, "file", info.file);
    tn_buf_add_format(out, ",\"line\":%u}", info.line);
  }
  tn_buf_add_char(out, ']');
}

static void json_unit_symbols(tn_buf *out, const char *key, const tn_symbol_info *symbols,
                              size_t count) {
  tn_buf_add_format(out, ",\"%s\":[", key);
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_text(out, i > 0 ? ",{\"symbol\":" : "{\"symbol\":");
    tn_print_json(out, symbols[i].name);
    put_key(out, "user", symbols[i].user);
    put_key(out, "file", symbols[i].file);
    tn_buf_add_format(out, ",\"line\":%u,\"weak\":%s,\"hidden\":%s}", symbols[i].line,
                      symbols[i].flags & TN_SYMBOL_WEAK ? "true" : "false",
                      symbols[i].flags & TN_SYMBOL_HIDDEN ? "true" : "false");
  }
  tn_buf_add_char(out, ']');
}

static void json_unit_list(tn_buf *out, const tn_report_unit *unit) {
  const tn_unit_list *list = &unit->list;
  put_key(out, "tenon", unit->entry.version);
  tn_buf_add_text(out, ",\"kernels\":[");
  for (size_t i = 0; i < list->kernel_count; i++) {
    tn_buf_add_text(out, i > 0 ? ",{\"symbol\":" : "{\"symbol\":");
    tn_print_json(out, list->kernels[i].name);
    tn_buf_add_format(out, ",\"arg_size\":%u,\"arg_align\":%u", list->kernels[i].arg_size,
                      list->kernels[i].arg_align);
    put_key(out, "file", list->kernels[i].file);
    tn_buf_add_format(out, ",\"line\":%u}", list->kernels[i].line);
  }
  tn_buf_add_char(out, ']');
  json_unit_symbols(out, "exports", list->exports, list->export_count);
  json_unit_symbols(out, "imports", list->imports, list->import_count);
}

static void json_requirements(tn_buf *out, const tn_image *image) {
  uint32_t size[3];
  tn_buf_add_text(out, ",\"aspects\":[");
  for (uint32_t i = 0; i < tn_image_aspect_count(image); i++) {
    const uint32_t number = tn_image_aspect_at(image, i);
    const char *name = tn_aspect_name(number);
    tn_buf_add_text(out, i > 0 ? "," : "");
    if (name) {
      tn_print_json(out, tn_str_from(name));
    } else {
      tn_buf_add_format(out, "%u", number);
    }
  }
  tn_buf_add_char(out, ']');
  if (tn_image_required_group_size(image, size)) {
    tn_buf_add_format(out, ",\"group_size\":[%u,%u,%u]", size[0], size[1], size[2]);
  }
  if (tn_image_required_sub_group_size(image) != 0) {
    tn_buf_add_format(out, ",\"sub_group_size\":%u", tn_image_required_sub_group_size(image));
  }
}

static void json_symbols(tn_buf *out, const tn_image *image, const char *key, uint32_t count,
                         tn_symbol_info (*at)(const tn_image *, uint32_t)) {
  tn_buf_add_format(out, ",\"%s\":[", key);
  for (uint32_t i = 0; i < count; i++) {
    const tn_symbol_info info = at(image, i);
    tn_buf_add_text(out, i > 0 ? ",{\"name\":" : "{\"name\":");
    tn_print_json(out, info.display_name);
    put_key(out, "symbol", info.name);
    put_key(out, "user", info.user);
    put_key(out, "file", info.file);
    tn_buf_add_format(out, ",\"line\":%u,\"weak\":%s}", info.line,
                      info.flags & TN_SYMBOL_WEAK ? "true" : "false");
  }
  tn_buf_add_char(out, ']');
}

static void json_specs(tn_buf *out, const tn_image *image) {
  tn_buf_add_text(out, ",\"specialization_constants\":[");
  for (uint32_t i = 0; i < tn_image_spec_count(image); i++) {
    const tn_spec_info info = tn_image_spec_at(image, i);
    tn_buf_add_text(out, i > 0 ? ",{\"symbol\":" : "{\"symbol\":");
    tn_print_json(out, info.name);
    tn_buf_add_format(out, ",\"size\":%u,\"align\":%u,\"default\":\"", info.size, info.alignment);
    put_hex(out, info.value);
    tn_buf_add_text(out, "\"}");
  }
  tn_buf_add_char(out, ']');
}

static void json_globals(tn_buf *out, const tn_image *image) {
  tn_buf_add_text(out, ",\"device_globals\":[");
  for (uint32_t i = 0; i < tn_image_global_count(image); i++) {
    const tn_global_info info = tn_image_global_at(image, i);
    tn_buf_add_text(out, i > 0 ? ",{\"name\":" : "{\"name\":");
    tn_print_json(out, info.display_name);
    put_key(out, "symbol", info.name);
    tn_buf_add_format(out, ",\"size\":%u,\"align\":%u,\"declared\":%s,\"value\":\"", info.size,
                      info.alignment, info.is_declared ? "true" : "false");
    put_hex(out, info.value);
    tn_buf_add_text(out, "\"}");
  }
  tn_buf_add_char(out, ']');
}

static void json_props(tn_buf *out, const tn_image *image) {
  const char *separator = "";
  tn_buf_add_text(out, ",\"properties\":[");
  for (uint32_t i = 0; i < tn_image_prop_set_count(image); i++) {
    const tn_prop_set set = tn_image_prop_set_at(image, i);
    for (uint32_t j = 0; j < set.count && !has_meaning(set.name); j++) {
      const tn_prop prop = tn_prop_set_at(&set, j);
      tn_buf_add_format(out, "%s{\"set\":", separator);
      tn_print_json(out, set.name);
      put_key(out, "name", prop.name);
      if (prop.type == TN_PROP_U32) {
        tn_buf_add_format(out, ",\"number\":%u}", prop.u32);
      } else {
        tn_buf_add_text(out, ",\"bytes\":\"");
        put_hex(out, prop.bytes);
        tn_buf_add_text(out, "\"}");
      }
      separator = ",";
    }
  }
  tn_buf_add_char(out, ']');
}

static void json_file(tn_buf *out, const tn_report_file *file) {
  tn_buf_add_text(out, "{\"file\":");
  tn_print_json(out, file->name);
  put_key(out, "kind", tn_str_from(file->kind));
  tn_buf_add_text(out, ",\"images\":[");
  for (uint32_t i = 0; i < tn_report_image_count(file); i++) {
    const tn_image image = tn_report_image_at(file, i);
    tn_buf_add_text(out, i > 0 ? ",\n " : "\n ");
    json_code(out, i, image.target, image.triple, image.format, image.code.size);
    json_requirements(out, &image);
    json_kernels(out, &image);
    json_symbols(out, &image, "exports", tn_image_export_count(&image), tn_image_export_at);
    json_symbols(out, &image, "imports", tn_image_import_count(&image), tn_image_import_at);
    json_specs(out, &image);
    json_globals(out, &image);
    json_props(out, &image);
    tn_buf_add_char(out, '}');
  }
  tn_buf_add_text(out, "],\"units\":[");
  for (size_t i = 0; i < file->units.count; i++) {
    const tn_report_unit *unit = file->units.items[i];
    const tn_offload_entry *entry = &unit->entry;
    tn_buf_add_text(out, i > 0 ? ",\n " : "\n ");
    json_code(out, (uint32_t)i, entry->arch, entry->triple, TN_IMAGE_FORMAT_BITCODE,
              entry->image.size);
    json_unit_list(out, unit);
    tn_buf_add_char(out, '}');
  }
  tn_buf_add_text(out, "]}");
}

void tn_report_print_json(tn_buf *out, const tn_report *report, bool *is_first) {
  for (size_t i = 0; i < report->files.count; i++) {
    tn_buf_add_text(out, *is_first ? "\n" : ",\n");
    *is_first = false;
    json_file(out, report->files.items[i]);
  }
}

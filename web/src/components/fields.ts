/** The fields of a form, found by how the API calls them. */

const BOX = ".mantine-InputWrapper-root";

/** The field that gives it, or else what it is a part of: `resource` for `resource.name`. What is deep inside, and not
 * one of several, goes by its last name: `host` for `connection.host`. */
export function fieldOf(form: HTMLFormElement, name: string): Element | undefined {
  const named = new Map(Array.from(form.elements, (element) => [element.getAttribute("name"), element]));
  for (let part = name; part; part = part.slice(0, Math.max(part.lastIndexOf("."), 0))) {
    const field = named.get(part) ?? (/\.\d/.test(part) ? undefined : named.get(part.slice(part.lastIndexOf(".") + 1)));
    if (field) return field;
  }
}

/** What a field stands in, with its label. The name of a choice is on a field that nobody sees, beside it. */
export function boxOf(field: Element): Element | null {
  const beside = field.previousElementSibling;
  return field.closest(BOX) ?? (beside?.matches(BOX) ? beside : null);
}

/** Mark what is in a box as wrong, and lead who pressed a button to it; what is answered takes the mark away. Where it is
 * marked already, such as by a look at what is typed, nothing is done. */
export function mark(box: Element, described: string, first: boolean): (() => void) | undefined {
  const input = box.querySelector("input, textarea");
  if (!input || input.getAttribute("aria-invalid") === "true") return;
  const frame = input.closest(".mantine-Input-wrapper");
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-errormessage", described);
  frame?.setAttribute("data-error", "true");
  const at = document.activeElement;
  if (first && input instanceof HTMLElement && (at === document.body || at instanceof HTMLButtonElement)) input.focus();
  return () => {
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-errormessage");
    frame?.removeAttribute("data-error");
  };
}

/** What is wrong with something that is no field here: `old_password` is the old password. */
export function said(field: string, text: string): string {
  const parts = field
    .split(".")
    .map((part) => (/^\d+$/.test(part) ? `${Number(part) + 1}` : part.replaceAll("_", " ")));
  const name = parts.join(", ").replace(/, (\d+)/g, " $1");
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${text}`;
}

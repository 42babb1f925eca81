/** Writing over what is selected. Left to itself, the browser keeps the look of what was there with styles of its own,
 * which the content security policy refuses. */
import { EditorView } from "@codemirror/view";

export const overwriting = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main, ranges } = view.state.selection;
    const text = event.data;
    if (event.inputType !== "insertText" || text === null || main.empty || ranges.length > 1 || view.composing) {
      return false;
    }
    event.preventDefault();
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, text, insert))) view.dispatch(insert());
    return true;
  },
});

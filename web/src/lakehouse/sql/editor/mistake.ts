/** Where the statement is wrong: marked until somebody changes the text. */
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

export const markMistake = StateEffect.define<number | undefined>();

const mark = Decoration.mark({ class: "cm-mistake" });

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let now = transaction.docChanged ? Decoration.none : marks;
    for (const effect of transaction.effects) {
      if (!effect.is(markMistake)) continue;
      const at = effect.value;
      if (at === undefined || transaction.newDoc.length === 0) {
        now = Decoration.none;
        continue;
      }
      const from = Math.min(at, transaction.newDoc.length - 1);
      const rest = transaction.newDoc.sliceString(from, from + 200);
      const length = /^[\w`.]+/.exec(rest)?.[0].length ?? 1;
      now = Decoration.set(mark.range(from, from + length));
    }
    return now;
  },
  provide: (given) => EditorView.decorations.from(given),
});

export const mistakes: Extension = field;

/** Where SQL is written: CodeMirror in the app's look. Escape, then Tab, leaves it. */
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  selectedCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, insertNewlineAndIndent } from "@codemirror/commands";
import { keywordCompletionSource, sql } from "@codemirror/lang-sql";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { Annotation, EditorState, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
  tooltips,
} from "@codemirror/view";
import { getNonce } from "get-nonce";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { completing } from "./completing";
import { spark } from "./dialect";
import { look } from "./look";
import { markMistake, mistakes } from "./mistake";
import { overwriting } from "./overwriting";

/** The text came from outside: nobody wrote it here. */
const opened = Annotation.define<boolean>();

/** What the rest of the page does with the editor. */
export interface Handle {
  /** What would run: what is selected, or everything. */
  chosen: () => string;
  insert: (text: string) => void;
  goTo: (offset: number) => void;
}

interface Props {
  ref: Ref<Handle>;
  text: string;
  onText: (text: string) => void;
  onRun: () => void;
  onSave: () => void;
  /** Where the statement is wrong. */
  mistake: number | undefined;
}

export default function Editor({ ref, text, onText, onRun, onSave, mistake }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ text, onText, onRun, onSave });
  latest.current = { text, onText, onRun, onSave };

  useEffect(() => {
    if (!place.current) return;
    const made = new EditorView({ parent: place.current, doc: latest.current.text, extensions: extensions(latest) });
    view.current = made;
    return () => made.destroy();
  }, []);

  useEffect(() => {
    const now = view.current;
    // Another text was opened; what was written before it is still an undo away.
    if (now && now.state.doc.toString() !== text) {
      now.dispatch({
        changes: { from: 0, to: now.state.doc.length, insert: text },
        annotations: opened.of(true),
      });
    }
  }, [text]);

  useEffect(() => view.current?.dispatch({ effects: markMistake.of(mistake) }), [mistake]);

  useImperativeHandle(ref, () => ({
    chosen: () => {
      const state = view.current?.state;
      if (!state) return latest.current.text;
      const { from, to } = state.selection.main;
      const selected = state.sliceDoc(from, to);
      return selected.trim() === "" ? state.doc.toString() : selected;
    },
    insert: (added) => {
      const now = view.current;
      if (!now) return;
      now.dispatch(now.state.replaceSelection(apart(now.state, added)), { scrollIntoView: true });
      now.focus();
    },
    goTo: (offset) => {
      const now = view.current;
      if (!now) return;
      now.dispatch({ selection: { anchor: Math.min(offset, now.state.doc.length) }, scrollIntoView: true });
      now.focus();
    },
  }));

  return <div ref={place} style={{ height: "100%" }} />;
}

/** A name between words stands apart from them. */
function apart(state: EditorState, added: string): string {
  const { from, to } = state.selection.main;
  const before = /[\w`]/.test(state.sliceDoc(Math.max(0, from - 1), from)) ? " " : "";
  const after = /[\w`]/.test(state.sliceDoc(to, to + 1)) ? " " : "";
  return `${before}${added}${after}`;
}

/** Enter after a name that is written in full begins a new line, even while the same name is offered. */
function goOn(view: EditorView): boolean {
  const offered = selectedCompletion(view.state)?.label.toLowerCase();
  const { head } = view.state.selection.main;
  const before = view.state.sliceDoc(Math.max(0, head - 200), head).toLowerCase();
  const isWritten = offered !== undefined && /[\w.`]*$/.exec(before)?.[0] === offered;
  return isWritten && closeCompletion(view) && insertNewlineAndIndent(view);
}

interface Latest {
  current: Pick<Props, "onText" | "onRun" | "onSave">;
}

function extensions(latest: Latest) {
  const does = (act: () => void) => () => {
    act();
    return true;
  };
  return [
    EditorView.cspNonce.of(getNonce() ?? ""),
    // Before what completion does with the same keys.
    Prec.highest(
      keymap.of([
        { key: "Mod-Enter", run: does(() => latest.current.onRun()), preventDefault: true },
        { key: "Mod-s", run: does(() => latest.current.onSave()), preventDefault: true },
        { key: "Tab", run: acceptCompletion },
        { key: "Enter", run: goOn },
      ]),
    ),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    drawSelection(),
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    tooltips({ position: "fixed" }),
    placeholder("select …  (Ctrl Enter runs it)"),
    sql({ dialect: spark }),
    autocompletion({
      override: [completing, keywordCompletionSource(spark, false)],
      activateOnTypingDelay: 20,
      maxRenderedOptions: 60,
      icons: false,
    }),
    mistakes,
    overwriting,
    look,
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
    EditorView.contentAttributes.of({ "aria-label": "SQL", "aria-describedby": "sql-keys", spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((one) => one.annotation(opened)))
        latest.current.onText(update.state.doc.toString());
    }),
  ];
}

/** The first that can be taken is lit as soon as it is there; Enter before that takes it then, unless one types on. */
import { type KeyboardEvent, useEffect, useRef } from "react";
import { lightFirst, takeLit } from "./paletteStore";

interface Shown {
  sought: string;
  /** The answer is on its way. */
  isLooking: boolean;
  /** What can be taken first now. */
  first: string | undefined;
  /** Something is called so. */
  isFound: boolean;
}

const NONE = { moved: false, entered: false };

export function usePaletteKeys({ sought, isLooking, first, isFound }: Shown) {
  const pressed = useRef(NONE);
  useEffect(() => {
    const { moved, entered } = pressed.current;
    if (sought !== "" && first !== undefined && !moved) lightFirst();
    if (isLooking) return;
    if (entered && isFound) takeLit();
    pressed.current = { moved, entered: false };
  }, [sought, isLooking, first, isFound]);
  return {
    note: (event: KeyboardEvent) => {
      const { moved } = pressed.current;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        pressed.current = { moved: moved || first !== undefined, entered: false };
      }
      if (event.key === "Enter" && !event.nativeEvent.isComposing) {
        pressed.current = { moved, entered: isLooking && first === undefined };
      }
    },
    forget: () => {
      pressed.current = NONE;
    },
  };
}

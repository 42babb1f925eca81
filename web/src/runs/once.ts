/** Starting something once: of two clicks that come faster than the page is drawn anew, the second does nothing. */
import type { UseMutationResult } from "@tanstack/react-query";
import { useRef } from "react";

type Mutation<Said> = Pick<UseMutationResult<unknown, Error, Said>, "mutateAsync">;

export function useOnce<Said = void>(mutation: Mutation<Said>): (said: Said) => void {
  const going = useRef(false);
  return (said) => {
    if (going.current) return;
    going.current = true;
    const over = () => {
      going.current = false;
    };
    // What goes wrong is told by the mutation itself.
    void mutation.mutateAsync(said).then(over, over);
  };
}

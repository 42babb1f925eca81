/** Mantine's links and buttons as the router's own, so that every address is checked when the app is built. */
import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import { forwardRef } from "react";

export const TextLink = createLink(
  forwardRef<HTMLAnchorElement, AnchorProps>((props, ref) => <Anchor ref={ref} {...props} />),
);

export const ButtonLink = createLink(
  forwardRef<HTMLAnchorElement, ButtonProps>((props, ref) => <Button ref={ref} component="a" {...props} />),
);

export const PlaceLink = createLink(
  forwardRef<HTMLAnchorElement, NavLinkProps>((props, ref) => <NavLink ref={ref} {...props} />),
);

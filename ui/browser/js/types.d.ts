/** Types of the kit: JSON, and what `h` takes and returns. */

/** Any JSON value; its readers check what it holds. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** The element that a spec such as "button.chip.on" makes. */
export type ElementOf<Spec extends string> = Spec extends `${infer Tag}.${string}` ? ElementNamed<Tag> : ElementNamed<Spec>;
type ElementNamed<Tag extends string> = Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement;

/** What an element may hold; null, undefined and false leave a child out. Text becomes a text node. */
export type Child = Node | string | number | null | undefined | false | Child[];

/** Handlers by their property, all else are attributes; null, undefined and false leave an attribute out. */
export type Props<Made extends HTMLElement> = Handlers<Made> & { [attribute: string]: unknown };
type Handlers<Made extends HTMLElement> = {
  onclick?: (event: MouseEvent & { target: Element }) => unknown;
  onkeydown?: (event: KeyboardEvent) => unknown;
  oninput?: (event: InputEvent & { target: Made }) => unknown;
  onchange?: (event: Event & { target: Made }) => unknown;
  ontoggle?: (event: Event) => unknown;
};

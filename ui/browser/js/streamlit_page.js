// @ts-check
/**
 * The page around the view, which Streamlit draws: the only module that knows its elements. They are undocumented; each
 * selector is also in `ui.dependencies.streamlit_private`, with a test that fails when it finds nothing.
 */

const APP = '[data-testid="stApp"]';
const SCRIPT = 'script[src*="static/js/"]';
const MAIN = '[data-testid="stMain"]';
const MAIN_BLOCK = '[data-testid="stMainBlockContainer"]';
const BOTTOM = '[data-testid="stBottom"]';
const CHAT_INPUT = '[data-testid="stChatInputTextArea"]';

/** Where the app is served from, with its base path: Streamlit's own script tells, whatever page is open. */
export function appBase(doc = document) {
  const script = doc.querySelector(SCRIPT);
  const url = script instanceof HTMLScriptElement ? new URL(script.src, doc.baseURI) : null;
  if (url && url.origin === doc.location.origin) return url.pathname.slice(0, url.pathname.indexOf("static/js/"));
  return "/";
}

/** The element that has the theme's colours. */
export function pageRoot() {
  return document.querySelector(APP) ?? document.body;
}

/** Puts the cursor into the page's chat input; false where there is none. */
export function focusChatInput() {
  const input = document.querySelector(CHAT_INPUT);
  if (input instanceof HTMLElement) input.focus();
  return Boolean(input);
}

/** Takes the cursor out of the page's chat input; false where it is not in it. */
export function leaveChatInput() {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !focused.matches(CHAT_INPUT)) return false;
  focused.blur();
  return true;
}

/** How far the page is scrolled, and the height of the area at its bottom that holds the chat input; in px. */
export function pageOffsets() {
  const bottom = document.querySelector(BOTTOM);
  return {
    scrolled: document.querySelector(MAIN)?.scrollTop ?? 0,
    bottom: bottom instanceof HTMLElement ? bottom.offsetHeight : 0,
  };
}

/** The page's areas: when one has another size, the view may have to take another height. */
export function pageAreas() {
  return [MAIN_BLOCK, BOTTOM].flatMap((selector) => document.querySelector(selector) ?? []);
}

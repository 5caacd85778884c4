// @ts-check
/**
 * Inside every page's head: says why the page cannot be drawn, e.g. because a reverse proxy lets no WebSocket through.
 * Streamlit itself waits without a word.
 */
{
  const STATE = "data-test-connection-state";
  const PATIENCE = 2000; // milliseconds from the load of the page on
  const SOON = 500; // milliseconds; a server that restarts, or another network, may be there by then
  const SOCKET = 5000; // milliseconds
  const REFUSED = [403, 421];
  const SIGNED_OUT = 401;
  const TOO_MANY = 429; // pages
  const PROXY = "If a reverse proxy is in front of the playground, ";

  const isConnected = () => document.querySelector(':--app')?.getAttribute(STATE) === "CONNECTED";

  /** Whether a socket opens; the server ends this one at once, because it names no session. */
  function opens() {
    const url = new URL("./api/log", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    return new Promise((resolve) => {
      const socket = new WebSocket(url);
      const end = (/** @type {boolean} */ found) => {
        resolve(found);
        socket.close();
      };
      socket.onopen = () => end(true);
      socket.onerror = () => end(false);
      setTimeout(end, SOCKET, false);
    });
  }

  /** Why the page cannot connect; "" if it can. For a socket a browser names the page's origin; here the page does. */
  async function reason() {
    const health = new URL("./_stcore/health", location.href);
    const answer = await fetch(health, { headers: { "X-Page-Origin": location.origin } }).catch(() => null);
    if (!answer) return "The server does not answer. Is the playground still running?";
    if (answer.status === SIGNED_OUT) {
      location.reload();
      return "";
    }
    const type = answer.headers.get("content-type") ?? "";
    if (REFUSED.includes(answer.status)) {
      const said = type.startsWith("text/plain") ? ` It says: “${(await answer.text()).slice(0, 600)}”` : "";
      return `The server refuses this page's requests.${said} ${PROXY}have it pass on the header Host, and start the ` +
        "playground with that name in PLAYGROUND_ALLOWED_HOSTS.";
    }
    if (answer.status === TOO_MANY) return `${(await answer.text()).slice(0, 600)} This page opens by itself then.`;
    if (answer.status >= 500) return `The server answers ${answer.status}. ${PROXY}the playground behind it may have ended.`;
    if (await opens()) return "";
    return `The WebSocket of this page is blocked, and pages are drawn through it. ${PROXY}have it pass on the headers ` +
      "Upgrade and Connection, with HTTP/1.1.";
  }

  let isLooking = false;
  /** @type {HTMLElement | null} */
  let notice = null;
  let place = "1rem 1rem auto";

  /** Says why the page is not connected; a browser that is let in no more goes to the page to sign in. */
  async function look() {
    if (isLooking || notice || isConnected()) return;
    isLooking = true;
    const text = await reason();
    isLooking = false;
    if (!text || isConnected()) return;
    notice = document.createElement("p");
    notice.setAttribute("role", "alert");
    notice.style.cssText = `position:fixed;inset:${place};z-index:2000000;max-width:44rem;margin:0 auto;padding:1rem;` +
      "font:16px/1.5 system-ui,sans-serif;color:#1c2030;background:#fff4d6;border:1px solid #b58900;border-radius:.5rem";
    notice.textContent = text;
    document.body.append(notice);
  }

  /**
   * Looks at once when a socket could not be opened, and soon after one was lost.
   * @param {MutationRecord[]} changes of the app's connection state
   */
  function follow(changes) {
    if (isConnected()) {
      notice?.remove();
      notice = null;
      place = "auto 1rem 1rem"; // Streamlit shows a dialog at the top when a connection is lost
      return;
    }
    const before = changes.map(({ oldValue }) => oldValue);
    if (before.includes("CONNECTING")) look();
    else if (before.includes("CONNECTED")) setTimeout(look, SOON);
  }

  setTimeout(look, PATIENCE);
  let app = null;
  const arrived = new MutationObserver(() => {
    if (app?.isConnected) return;
    app = document.querySelector(':--app');
    if (app) new MutationObserver(follow).observe(app, { attributeFilter: [STATE], attributeOldValue: true });
  });
  addEventListener("DOMContentLoaded", () => arrived.observe(document.body, { subtree: true, childList: true }));
}

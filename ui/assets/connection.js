// @ts-check
/**
 * Inside every page's head: says why the page cannot be drawn, e.g. because a reverse proxy lets no WebSocket through.
 * Streamlit itself waits without a word.
 */
{
  const APP = ':--app[data-test-connection-state="CONNECTED"]';
  const PATIENCE = 5000; // milliseconds
  const REFUSED = [403, 421];
  const SIGNED_OUT = 401;
  const TOO_MANY = 429; // pages
  const PROXY = "If a reverse proxy is in front of the playground, ";

  const isConnected = () => Boolean(document.querySelector(APP));

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
      setTimeout(end, PATIENCE, false);
    });
  }

  /** Why the page cannot connect; "" if it can. For a socket a browser names the page's origin; here the page does. */
  async function reason() {
    const health = new URL("./_stcore/health", location.href);
    const answer = await fetch(health, { headers: { "X-Page-Origin": location.origin } }).catch(() => null);
    if (!answer) return "The server does not answer. Is the playground still running?";
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

  async function look() {
    const text = isConnected() ? "" : await reason();
    if (!text || isConnected()) return;
    const notice = document.createElement("p");
    notice.setAttribute("role", "alert");
    notice.style.cssText = "position:fixed;inset:1rem 1rem auto;z-index:2000000;max-width:44rem;margin:0 auto;padding:1rem;" +
      "font:16px/1.5 system-ui,sans-serif;color:#1c2030;background:#fff4d6;border:1px solid #b58900;border-radius:.5rem";
    notice.textContent = text;
    document.body.append(notice);
    const watch = new MutationObserver(() => {
      if (!isConnected()) return;
      notice.remove();
      watch.disconnect();
    });
    watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-test-connection-state"] });
  }

  /** Leaves for the page to sign in, once the server lets this browser in no more; the page closed its socket then. */
  async function leave() {
    if (isConnected()) return;
    const health = new URL("./_stcore/health", location.href);
    const answer = await fetch(health, { headers: { "X-Page-Origin": location.origin } }).catch(() => null);
    if (answer?.status === SIGNED_OUT) location.reload();
  }

  setTimeout(look, PATIENCE);
  let app = null;
  const arrived = new MutationObserver(() => {
    if (app?.isConnected) return;
    app = document.querySelector(':--app');
    if (app) new MutationObserver(leave).observe(app, { attributeFilter: ["data-test-connection-state"] });
  });
  addEventListener("DOMContentLoaded", () => arrived.observe(document.body, { subtree: true, childList: true }));
}

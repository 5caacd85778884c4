/** The socket to the session's log: connects, reconnects where it left off, and tells what comes. Knows no meaning. */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

/** Where the app is served from, with its base path: Streamlit's own script tells, whatever page is open. */
export function appBase(doc = document) {
  const script = doc.querySelector('script[src*="static/js/"]');
  const url = script ? new URL(script.src, doc.baseURI) : null;
  if (url && url.origin === doc.location.origin) return url.pathname.slice(0, url.pathname.indexOf("static/js/"));
  return "/";
}

export function logUrl({ pipeline, session, after }, doc = document) {
  const { protocol, host } = doc.location;
  const query = new URLSearchParams({ pipeline, session, after: String(after) });
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}${appBase(doc)}api/log?${query}`;
}

/**
 * Opens the feed of one session and keeps it open.
 * @param after function giving the last seq received, asked at every connection
 * @param onMessage called with each parsed frame
 * @param onState "connecting", "open" or "lost" (with the attempt's number)
 */
export function openFeed({ pipeline, session, after, onMessage, onState }) {
  let socket = null;
  let timer = null;
  let failures = 0;
  let closed = false;

  function connect() {
    timer = null;
    onState(failures ? "lost" : "connecting", failures);
    const mine = (socket = new WebSocket(logUrl({ pipeline, session, after: after() })));
    mine.onmessage = ({ data }) => {
      if (mine !== socket || closed) return;
      const frame = JSON.parse(data);
      if (frame.type === "hello") {
        failures = 0;
        onState("open", 0);
      }
      if (frame.type === "gone" || (frame.type === "error" && !frame.retry)) close();
      onMessage(frame);
    };
    mine.onclose = () => {
      if (mine !== socket || closed) return;
      failures += 1;
      onState("lost", failures);
      timer = setTimeout(connect, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1)));
    };
  }

  function retryNow() {
    if (timer == null || closed) return;
    clearTimeout(timer);
    connect();
  }

  function close() {
    closed = true;
    clearTimeout(timer);
    window.removeEventListener("online", retryNow);
    socket?.close();
  }

  window.addEventListener("online", retryNow);
  connect();
  return { close, retryNow };
}

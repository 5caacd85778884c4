// @ts-check
/** Pictures in an event, and files that it saved. */

import { h } from "../../../browser/js/elements.js";
import { icon } from "../dom/icons.js";
import { appBase } from "../../../browser/js/streamlit_page.js";
import { artifactUrl } from "../../../browser/js/addresses.js";
import { artifactsOf, plainName } from "../words/artifacts.js";
import { imageUrl } from "../words/format.js";

/** @import { Actions, Part } from "../log/entries.d.ts" */
/** @import { SessionPlace } from "../log/folds.d.ts" */

/**
 * The pictures in parts: shown inline or given back by a tool; of types that we show.
 * @param {Part[]} parts
 */
export function picturesOf(parts) {
  const found = parts.flatMap((part) => [part, ...(part.function_response?.parts ?? [])]).flatMap((part) =>
    part.inline_data ?? []
  );
  return found.map(({ mime_type: type, data }) => {
    const url = imageUrl(type, data);
    return url
      ? h("img", { src: url, alt: "Picture from this event", loading: "lazy", decoding: "async" })
      : h("span.quiet", {}, `${type ?? "data"}, not shown`);
  });
}

/**
 * The files that an event saved: a chip for each, and what is to be seen of them.
 * @param {SessionPlace} place whose files they are
 * @param {() => void} onResize called when a picture turned out to be none
 * @param {Actions | undefined} actions
 * @returns {{ chips: HTMLElement[]; pictures: HTMLElement[] }}
 */
export function drawArtifacts(actions, place, onResize) {
  const files = artifactsOf(actions).map((file) => ({ ...file, url: artifactUrl(appBase(), { ...place, ...file }) }));
  const pictures = files.filter(({ look }) => look !== "file").map(({ name, version, url, look }) => {
    const image = h("img.saved", {
      src: url,
      alt: `${name}, version ${version}`,
      title: name,
      loading: "lazy",
      decoding: "async",
    });
    image.onerror = () => {
      image.replaceWith(look === "picture" ? h("span.quiet", {}, `${name} cannot be shown`) : "");
      onResize();
    };
    return image;
  });
  const chips = files.map(({ name, version, url }) =>
    h(
      "a.chip.file",
      { href: url, download: plainName(name), title: `Download ${name}, version ${version}` },
      icon("file"),
      h("b", {}, name),
      h("span", {}, `v${version}`),
    )
  );
  return { chips, pictures };
}

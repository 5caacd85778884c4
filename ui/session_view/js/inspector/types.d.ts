/** What the tabs of the inspector look at. */

import type { Codes } from "../code/codes.js";
import type { Child } from "../../../browser/js/types.d.ts";
import type { Entry, PlaybookPlace } from "../log/entries.d.ts";
import type { Log, Sighting, Span, TreeIndex, Usage } from "../log/folds.d.ts";
import type { PriceRow } from "../log/prices.js";
import type { Folds } from "../parts/types.d.ts";
import type { Bullets } from "../playbook/bullets.js";
import type { Texts } from "../prompt/texts.js";
import type { WindowRow } from "../prompt/windows.js";

export interface Context {
  log: Log;
  index: TreeIndex;
  prices: PriceRow[];
  windows: WindowRow[];
  bullets: Bullets;
  texts: Texts;
  /** The pipeline and the session that are looked at. */
  place: { pipeline: string; session: string | null };
  /** The playbook that the first run will start with. */
  starting: (PlaybookPlace & { bullets: number }) | null;
  /** Whether there is a playbook to look at. */
  learns: boolean;
  /** The pipeline's lesson and what is seen of it. */
  lesson: { pipeline: string; text: string; sightings: Sighting[] } | null;
  /** The selected entry; null looks at the end of the log. */
  selected: Entry | null;
  /** The number of the selected event, or of the one before the entry. */
  ordinal: number;
  /** What model calls had used by then. */
  usage: () => Usage;
  /** What state is compared with, as `Choices.since` has it, and `seq` of that entry. */
  since: string | null;
  sinceSeq: number | null;
  compare: (since: string | null) => void;
  running: boolean;
  /** Whether texts are shown as they were written, not as Markdown. */
  raw: boolean;
  toggleRaw: () => void;
  select: (seq: number) => void;
  pickSpan: (span: Span) => void;
}

export type Look = Context & Folds & { codes: Codes };

export interface Tab {
  name: string;
  label: string;
  draw: (look: Look) => Child;
  /** Whether the tab is there for what is looked at; always without it. */
  only?: (context: Context) => boolean;
}

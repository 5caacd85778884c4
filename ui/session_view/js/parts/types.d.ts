/** What the parts of a row or a tab need. */

/** Values that a user opened in full, by key. */
export interface Folds {
  isOpen: (key: string) => boolean;
  toggle: (key: string) => void;
}

// Cuts the form that a contribution declares in front matter from what it says.
import { cutFrontMatter } from '../base/front-matter-block.ts';

/** A text in two pieces: its front matter with the blank lines behind it, and the rest. Together they are the text. */
export interface Cut {
  form: string;
  body: string;
}

/** What pages show beside a contribution already, in words. */
const SHOWN = /^(?:position|vote|approve|new|same|confidence|agreed|done|blocking):/;

/** A text whose form is cut off; empty text for one without any. */
export function cutForm(text: string): Cut {
  const block = cutFrontMatter(text);
  if (!block) return { form: '', body: text };
  const body = block.body.replace(/^(?:[ \t]*\r?\n)+/, '');
  return { form: text.slice(0, text.length - body.length), body };
}

/** True when everything in a form is shown in words beside its contribution. */
export const isShown = (form: string): boolean =>
  form
    .split('\n')
    .filter((line) => /^\w/.test(line))
    .every((line) => SHOWN.test(line));

// The data in an archive's block: written from an archive, and read back together with the texts of its page.
import * as z from 'zod/mini';
import { toCommentSafeJson } from '../base/text.ts';
import { readContribution } from '../council/document/document.ts';
import { measureText, removeTexts } from '../council/document/markers.ts';
import type { MarkedText } from '../council/document/markers.ts';
import { PHASES } from '../council/state/allowed-values.ts';
import type { Contribution } from '../council/state/state.ts';
import type { Archive } from './archive.ts';
import { createArchiveDamageError } from './archive-block.ts';
import { cutForm } from './contribution-notes.ts';

const measure = z.object({ bytes: z.int(), sha256: z.string() });
type Measure = z.infer<typeof measure>;

/** Measures of the page's texts. The page is measured without them, since they may be altered separately. */
const texts = z.object({
  page: measure,
  brief: measure,
  digest: z.nullable(measure),
  contributions: z.array(
    z.looseObject({
      by: z.string(),
      phase: z.enum(PHASES),
      tour: z.int(),
      at: z.string(),
      bytes: z.int(),
      sha256: z.string(),
      /** Its front matter, which would become a heading on the page. */
      form: z.optional(z.string()),
    }),
  ),
});
export type Texts = z.infer<typeof texts>;

/** Maximum characters of all forms moved into the block, to keep the machine data small. */
const ROOM_FOR_FORMS = 1024 * 1024;

/** Returns the contributions whose forms are stored in the block, with those forms. */
export function selectStorableForms(contributions: readonly Contribution[]): Map<Contribution, string> {
  const forms = new Map<Contribution, string>();
  let room = ROOM_FOR_FORMS;
  for (const contribution of contributions) {
    const { form } = cutForm(contribution.text);
    room -= toCommentSafeJson(form).length;
    if (form !== '' && room >= 0) forms.set(contribution, form);
  }
  return forms;
}

/** Returns all data of an archive except its texts, which are on its page. */
export function buildArchiveBlock(
  { meta, absences, late, ...archive }: Archive,
  page: string,
): Record<string, unknown> {
  // The file's location is left out, because the file may be moved.
  const { id: _id, path: _path, ...facts } = meta;
  const forms = selectStorableForms(archive.contributions);
  const { synthesis } = archive;
  return {
    ...facts,
    absences,
    late,
    page: measurePage(page),
    brief: measureText(archive.brief),
    digest: synthesis.computed ? measureText(synthesis.text) : null,
    contributions: archive.contributions.map((contribution) => {
      const { text: _text, ...said } = contribution;
      return { ...said, form: forms.get(contribution) };
    }),
  };
}

/** Reads the block's data about the texts. Throws `corrupt`. */
export function readTexts(data: Record<string, unknown>, path: string): Texts {
  const read = texts.safeParse(data);
  if (read.success) return read.data;
  throw createArchiveDamageError(
    path,
    'altered',
    `"${read.error.issues[0]?.path.join('.')}" in its machine data is wrong`,
  );
}

/** Combines the page's texts with the block's data; `altered` lists what is missing or changed, for people. */
export function restoreRecordedTexts(
  recorded: Texts,
  marked: MarkedText[],
): Pick<Archive, 'brief' | 'contributions'> & {
  digest: string;
  altered: string[];
} {
  const altered: string[] = [];
  const take = (what: string, found: MarkedText | undefined, form: string, measures: Measure): string => {
    if (!found) altered.push(`${what} is missing`);
    const text = restoreOriginal(form + (found?.text ?? ''), measures);
    if (found && !isWhole(text, measures)) altered.push(what);
    return text;
  };
  const findMarked = (kind: string) => marked.find((m) => m.kind === kind);
  const said = marked.filter(({ kind }) => kind === 'response');
  const brief = take('the brief', findMarked('brief'), '', recorded.brief);
  const digest = recorded.digest ? take('the synthesis', findMarked('digest'), '', recorded.digest) : '';
  const contributions = recorded.contributions.map(({ form = '', ...facts }) => {
    const { by, phase, tour } = facts;
    const at = said.findIndex((m) => m.facts.by === by && m.facts.tour === tour);
    const [found] = at === -1 ? [] : said.splice(at, 1);
    const text = take(`${by} in ${phase} (round ${tour})`, found, form, facts);
    return readContribution({ kind: 'response', facts, text });
  });
  if (said.length > 0) altered.push(`a contribution that was never recorded (${said.length})`);
  return { brief, digest, contributions, altered };
}

/** True if the lines that council wrote around the texts are unchanged. */
export const isPage = (page: string, { page: recorded }: Texts): boolean => {
  const { bytes, sha256 } = measurePage(page);
  return bytes === recorded.bytes && sha256 === recorded.sha256;
};

/** Ignores line endings, and white space at both ends. */
const measurePage = (page: string): Measure => measureText(removeTexts(page).replaceAll('\r\n', '\n').trim());

/** Restores the original text if only line endings were changed, which the hash proves. */
function restoreOriginal(text: string, measures: Measure): string {
  if (isWhole(text, measures)) return text;
  const unix = text.replaceAll('\r\n', '\n');
  return isWhole(unix, measures) ? unix : text;
}

function isWhole(text: string, recorded: Measure): boolean {
  const { bytes, sha256 } = measureText(text);
  return bytes === recorded.bytes && sha256 === recorded.sha256;
}

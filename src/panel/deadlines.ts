// Offline panel: "Deadline" and "Start" as headings or rows of a table, with dates that run backwards.
import { datesIn } from './dates.ts';
import type { Day } from './dates.ts';
import type { Document } from './document.ts';
import { sectionsOf } from './outline.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { says } from './says.ts';
import { tablesOf } from './tables.ts';

const OPENS =
  /^(?:date|start(?: date)?|begin(?:s|ning)?|created|opened|début|date de début|ouverture|démarrage)$/i;
const CLOSES =
  /^(?:deadline|end(?: date)?|due(?: date)?|until|fin|date de fin|échéance|date limite|clôture)$/i;
const PLAIN = /^[\s*_]+|[\s*_:]+$/g;

interface Named {
  key: string;
  day: Day;
}

/** A deadline before the start. It may be one for something else: for a reader to judge. */
export function deadlines(document: Document): Located[] {
  return [inSections(document), ...tablesOf(document).map((table) => inRows(document, table.rows))].flatMap(
    (named) => {
      const [start, ...starts] = named.filter(({ key }) => OPENS.test(key));
      const [end, ...ends] = named.filter(({ key }) => CLOSES.test(key));
      if (!start || !end || starts.length + ends.length > 0 || end.day.day >= start.day.day) return [];
      const advice = says(document.language).endsBeforeStart(end.day.written, start.day.written);
      return [locate(document, end.day, { severity: 'worth', rule: 'order', advice, also: [start.day] })];
    },
  );
}

/** Headings that have one date under them. */
const inSections = (document: Document): Named[] =>
  sectionsOf(document).flatMap(({ heading, text, start }) => {
    const { days } = datesIn(text, document.language, start);
    return days.length === 1 && days[0] ? [{ key: heading.text.replace(PLAIN, ''), day: days[0] }] : [];
  });

type Rows = ReturnType<typeof tablesOf>[number]['rows'];

/** Rows that name one date. */
const inRows = (document: Document, rows: Rows): Named[] =>
  rows.flatMap(([key, ...cells]) => {
    const days = cells.flatMap(
      ({ start, end }) => datesIn(document.text.slice(start, end), document.language, start).days,
    );
    return key && days.length === 1 && days[0] ? [{ key: key.text.replace(PLAIN, ''), day: days[0] }] : [];
  });

// Renders a summary's items, such as the findings of a review, with filters that need no script.
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { PageDocument } from '../document.ts';
import type { RenderContext } from '../page-formats.ts';
import { toFacetClass } from '../style.ts';
import type { CodeLine } from '../../../core/council/state/mode-reading.ts';

/** Renders the lines of a change with numbers and highlights; +/- signs repeat what colours say. */
function renderCode(lines: readonly CodeLine[]): Html {
  const width = Math.max(...lines.map(({ number }) => String(number).length));
  const shown = lines.map(({ mark, number, text, isMeant }) => {
    const line = `${String(number).padStart(width)} ${mark} ${text}`;
    return [html`<span class="${CLASSES[mark]}">${isMeant ? html`<mark>${line}</mark>` : line}</span>`, '\n'];
  });
  return html`<pre class="diff" dir="ltr">${shown}</pre>`;
}

const CLASSES = { ' ': 'same', '+': 'added', '-': 'removed' };

/** Renders nothing without items, and no filter with only one value. */
export function renderItems(
  { items }: Pick<PageDocument['own'], 'items'>,
  { text }: Pick<RenderContext, 'text'>,
): Html {
  const facets = (items[0]?.facets ?? []).map(({ name }, facet) => ({
    name,
    values: [...Map.groupBy(items, (item) => item.facets[facet]!.value)].map(([value, those]) => ({
      value,
      count: those.length,
    })),
  }));
  const findClass = (value: string, facet: number): string =>
    toFacetClass(
      facet,
      facets[facet]!.values.findIndex((one) => one.value === value),
    );
  return html`${facets.map(
    ({ name, values }, facet) =>
      values.length > 1 &&
      html`<fieldset class="facet">
        <legend>${name}</legend>
        ${values.map(
          ({ value, count }) =>
            html`<label
              ><input type="checkbox" checked autocomplete="off" class="by-${findClass(value, facet)}" />
              ${value} (${count})</label
            > `,
        )}
      </fieldset> `,
  )}${items.map(
    (item) =>
      html`<article class="item ${item.facets.map(({ value }, facet) => findClass(value, facet)).join(' ')}">
        ${text(item.text)} ${item.code && html`${renderCode(item.code.lines)} ${text(item.code.said)}`}
      </article> `,
  )}`;
}

// Times in the reader's zone, and running clocks: how much time is left, and how long something has taken. Screen readers are not told each second.
import { formatUnbrokenTime } from '../../page/lasted.ts';

const EACH_MS = 1000;

/** Shows times by the reader's clock, in the language of the page and with the time zone. */
export function localTimes(page: Document): void {
  const { lang } = page.documentElement;
  const format = new Intl.DateTimeFormat(navigator.languages.find((one) => one.startsWith(lang)) ?? lang, {
    ...({ day: 'numeric', month: 'short', year: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const),
  });
  for (const one of page.querySelectorAll('time')) {
    const at = Date.parse(one.dateTime);
    if (Number.isFinite(at)) one.textContent = format.format(at);
  }
}

export function clocks(): void {
  localTimes(document);
  const tell = (): void => {
    for (const one of document.querySelectorAll<HTMLElement>('[data-until]'))
      show(one, Date.parse(one.dataset.until ?? '') - Date.now());
    for (const one of document.querySelectorAll<HTMLElement>('[data-since]'))
      show(one, Date.now() - Date.parse(one.dataset.since ?? ''));
  };
  setInterval(tell, EACH_MS);
}

function show(element: HTMLElement, ms: number): void {
  if (!Number.isFinite(ms)) return;
  // Whole seconds: tenths are for what is over.
  const day = element.closest('main')?.dataset.day ?? '';
  const text = formatUnbrokenTime(Math.max(0, Math.floor(ms / 1000) * 1000), { decimal: '', day });
  if (element.textContent !== text) element.textContent = text;
}

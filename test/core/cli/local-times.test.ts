import { describe, expect, it } from 'vitest';
import { withLocalTimes } from '../../../src/core/cli/print.ts';
import { formatLocalTime } from '../../../src/core/base/local-time.ts';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const DUE = '2026-11-22T14:30:00.000Z';
const OVER = '2026-11-20T08:05:00.000Z';
const text = `- Deadline: ${DUE}\n- closed at ${OVER}: all had spoken\n> I wrote it at 2026-01-01T00:00:00.000Z.\n- Date: ${OVER}`;

describe('times on a terminal', () => {
  it('are local, with their distance where a line tells nothing else, and nobody’s words change', () => {
    const [due, over] = [formatLocalTime(DUE, NOW), formatLocalTime(OVER, NOW)];
    expect(withLocalTimes(text, [DUE, OVER], 'en', NOW)).toBe(
      `- Deadline: in 2 h 30 min, ${due}\n- closed at ${over}: all had spoken\n> I wrote it at 2026-01-01T00:00:00.000Z.\n- Date: 2 d ago, ${over}`,
    );
  });

  it('are French in French', () => {
    const shown = withLocalTimes(text, [DUE, OVER], 'fr', NOW);
    expect(shown).toMatch(/- Deadline: dans 2 heures, 22 nov\. 2026, \d\d:\d\d\n/);
    expect(shown).toMatch(/- Date: il y a 2 jours, 20 nov\. 2026, \d\d:\d\d$/);
    expect(shown).not.toContain(OVER);
  });
});

import { describe, expect, it } from 'vitest';
import { fillPlaceholders, readSettings } from '../../../src/team/tasks/plan-file.ts';

const fill = (text: string, ...set: string[]): string => fillPlaceholders(text, readSettings(set), 'PLAN.md');

describe('a template', () => {
  it('has each value in all of its places, as it is', () => {
    expect(fill('Put {{file}} into {{language}}: {{file}}', 'file=a=$1.md', 'language={{x}}')).toBe(
      'Put a=$1.md into {{x}}: a=$1.md',
    );
    expect(fill('{{}} and {{ x }} and {x} are none')).toBe('{{}} and {{ x }} and {x} are none');
  });

  it('names what has no value, and values that have no place', () => {
    expect(() => fill('{{a}} {{b}} {{c}}', 'b=1')).toThrow(
      'PLAN.md has {{a}}, {{c}}, but --set gives no value for them.',
    );
    expect(() => fill('{{a}}', 'a=1', 'lang=fr')).toThrow('PLAN.md has no {{lang}}.');
    expect(() => fill('x', 'novalue')).toThrow('--set takes NAME=VALUE, not "novalue".');
  });
});

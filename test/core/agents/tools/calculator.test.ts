import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalculator, createCalculatorTool } from '../../../../src/core/agents/tools/calculator.ts';
import { countCases } from '../../../helpers/long.ts';

const calculate = await createCalculator();

describe('the calculator', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-2^2', -4],
    ['2^3^2', 512],
    ['2 ** 10', 1024],
    ['0.1 + 0.2', 0.3],
    ['1250 * (1 + 0.035)^12', 1888.83582168295],
    ['sqrt(2)^2', 2],
    ['log(1000)', 3],
    ['ln(e)', 1],
    ['sin(pi / 2) + cos(0) + tan(0)', 2],
    ['6 × 7 ÷ 2 − 1', 20],
    ['.5 + 1e3', 1000.5],
    ['\n3\t*\n4\n', 12],
    ['1 / 3', 0.333333333333333],
  ])('knows that %s is %f', (expression, expected) => {
    expect(calculate(expression)).toBe(expected);
  });

  it.each([
    ['1 / 0', 'divides by zero'],
    ['9^9^9^9', 'too large'],
    ['1e308 * 10', 'too large'],
    ['sqrt(-1)', 'no real number'],
    ['0 / 0', 'no real number'],
    ['ln(-1)', 'no real number'],
    ['two plus two', 'cannot be calculated'],
    ['1 + ', 'cannot be calculated'],
    ['(((1)', 'cannot be calculated'],
    ['x + 1', 'undefined variable: x'],
    ['sqrt', 'no calculation'],
    ['1,5 + 2', '"," means nothing here'],
    ['5!', '"!" means nothing here'],
    ['a = 1', '"=" means nothing here'],
    ['[1, 2]', 'means nothing here'],
    ['"1" + "1"', 'means nothing here'],
    ['1; 2', '";" means nothing here'],
    ['constructor', 'cannot be calculated'],
    ['__proto__', '"_" means nothing here'],
    ['sin.constructor(1)', 'cannot be calculated'],
    ['random()', 'cannot be calculated'],
    ['1 or 2', 'cannot be calculated'],
    ['if(1, 2, 3)', 'means nothing here'],
    ['', 'cannot be calculated'],
    ['2 3', 'cannot be calculated'],
    ['('.repeat(400), 'cannot be calculated'],
    [`1${'+1'.repeat(400)}`, 'at most 500 characters'],
  ])('refuses %s', (expression, message) => {
    expect(() => calculate(expression)).toThrow(message);
  });

  it('answers anything with a finite number or a refusal, at once', () => {
    const pieces = fc.constantFrom(
      ...[
        '1',
        '2.5',
        '9e9',
        '+',
        '-',
        '*',
        '/',
        '^',
        '(',
        ')',
        'sqrt',
        'ln',
        'e',
        ' ',
        '.',
        'toString',
        '🦙',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 120 }), (parts) => {
        try {
          expect(Number.isFinite(calculate(parts.join('')))).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage' });
        }
      }),
      { numRuns: countCases(500) },
    );
  });

  it('describes what it takes', async () => {
    const { name, input } = await createCalculatorTool();
    expect(name).toBe('calculator');
    expect(input.json).toMatchObject({
      type: 'object',
      required: ['expression'],
      additionalProperties: false,
    });
    expect(input.read({ expression: 7 })).toMatchObject({ ok: false });
    expect(input.read({ operation: 'evaluate', expression: '1 + 1' })).toMatchObject({ ok: true });
    expect(input.read({ action: 'solve', expression: '1 + 1' })).toMatchObject({ ok: false });
  });
});

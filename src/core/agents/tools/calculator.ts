// The tool "calculator": evaluates one expression to one number.
import type { Parser } from 'expr-eval-fork';
import { createToolError, createTool } from './tool.ts';
import type { Tool } from './tool.ts';

/** Longer texts are no calculations; this also limits the nesting. */
const MAX_LENGTH = 500;
/** Significant digits of a double, so that 0.1 + 0.2 is 0.3. */
const DIGITS = 15;

const FUNCTIONS: Record<string, (value: number) => number> = {
  sqrt: Math.sqrt,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  log: Math.log10,
  ln: Math.log,
};
const CONSTANTS = { pi: Math.PI, PI: Math.PI, e: Math.E, E: Math.E };
const SIGNS: Record<string, string> = {
  '−': '-',
  '–': '-',
  '×': '*',
  '·': '*',
  '÷': '/',
  ':': '/',
  '**': '^',
};

const OFF = [
  'concatenate',
  'conditional',
  'logical',
  'comparison',
  'in',
  'assignment',
  'factorial',
  'remainder',
];

/** Restricted to the names given here: no variables, texts, lists, assignments or functions of its own. */
async function loadParser(): Promise<Parser> {
  const library = await import('expr-eval-fork');
  const operators = Object.fromEntries(OFF.map((name) => [name, false]));
  const made = new library.Parser({ operators, allowMemberAccess: false });
  const { '-': minus, '+': plus } = made.unaryOps as Record<string, unknown>;
  made.unaryOps = { '-': minus, '+': plus, ...FUNCTIONS };
  made.functions = {};
  made.consts = { ...CONSTANTS };
  return made;
}

/** Creates an evaluator. Its errors are for the model to correct: a mistake, or a result that is not a number. */
export async function createCalculator(): Promise<(expression: string) => number> {
  const made = await loadParser();
  return (expression) => calculate(expression, made);
}

function calculate(expression: string, made: Parser): number {
  const text = expression.replace(/\*\*|[−–×·÷:]/g, (sign) => SIGNS[sign] ?? sign).trim();
  if (text.length > MAX_LENGTH)
    throw createToolError(`An expression has at most ${MAX_LENGTH} characters; this one has ${text.length}.`);
  const odd = /[^\d\s.+\-*/^()A-Za-z]/u.exec(text)?.[0];
  if (odd !== undefined)
    throw createToolError(`${JSON.stringify(odd)} means nothing here. Decimals have a point: 1234.5.`);
  const result = evaluateExpression(text, made);
  if (typeof result !== 'number')
    throw createToolError('This is no calculation. For example: sqrt(2) * (3 - 1)^2');
  if (Number.isNaN(result)) throw createToolError('This has no real number as its result.');
  if (!Number.isFinite(result)) throw createToolError('This divides by zero, or its result is too large.');
  return Number(result.toPrecision(DIGITS));
}

function evaluateExpression(text: string, made: Parser): unknown {
  try {
    return made.evaluate(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^parse error /, '') : String(error);
    throw createToolError(
      `This cannot be calculated: ${why}. There are + - * / ^ ( ) pi e and ${Object.keys(FUNCTIONS).join(', ')}.`,
    );
  }
}

export async function createCalculatorTool(): Promise<Tool> {
  const z = await import('zod');
  const calculate = await createCalculator();
  return createTool(
    z,
    {
      name: 'calculator',
      description:
        'Calculates an expression: + - * / ^, brackets, sqrt, sin, cos, tan (radians), log (base 10), ln, pi, e. Use it for every calculation.',
    },
    z.strictObject({
      operation: z.literal('evaluate').optional(),
      expression: z.string().min(1).describe('such as 1250 * (1 + 0.035)^12'),
    }),
    ({ expression }) => ({ result: calculate(expression) }),
  );
}

import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Top-level functions are verb and object (CONTRIBUTING.md): no name ends in a preposition, or is a participle alone. */
const ODD_NAME =
  /^(?!is[A-Z]).*(Of|In|For|From|To|At|Under|By|With|Among|Between|After|Before|Beside|Until|Since|(?<!goes|leads)On)$|^(?!need$|feed$|seed$|embed$)[a-z]+ed$/;
/** What others import from the library keeps its name. */
const LIBRARY_NAMES = ['awaited', 'commitmentOf', 'viewFor', 'isFor', 'formatOf'];
const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionExpression'];

const verbAndObject = {
  create(context) {
    const check = (id) => {
      if (ODD_NAME.test(id.name) && !LIBRARY_NAMES.includes(id.name))
        context.report({
          node: id,
          message: 'Name a function by verb and object: findAccessToken, not tokenOf.',
        });
    };
    return {
      'Program > FunctionDeclaration, Program > ExportNamedDeclaration > FunctionDeclaration': ({ id }) =>
        check(id),
      'Program > VariableDeclaration > VariableDeclarator, Program > ExportNamedDeclaration > VariableDeclaration > VariableDeclarator':
        ({ id, init }) => FUNCTIONS.includes(init?.type) && id.type === 'Identifier' && check(id),
    };
  },
};

/** Programs that plain Node runs as they stand: they have no types. */
const PLAIN = ['scripts/build.mjs', 'scripts/prepare.mjs', 'templates/demo/*.mjs'];

export default tseslint.config(
  { ignores: ['dist/', 'dist.new/', 'coverage/', 'conseils/', 'memory/', 'test/fixtures/'] },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', ...PLAIN] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-base-to-string': 'off',
      // Ports are plain objects of functions; nothing here uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only: a name can be found.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' },
        {
          selector: "ClassDeclaration:not([superClass.name='Error'])",
          message: 'Factories that return plain objects; classes are for errors.',
        },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: [
      'src/core/app/**',
      'src/core/cli/**',
      'src/team/**',
      'src/server/**',
      'src/postgres/**',
      'src/program/**',
      'src/server/http/script/**',
      'src/panel/main.ts',
    ],
    rules: { 'no-restricted-globals': ['error', { name: 'fetch', message: 'I/O belongs to the edges.' }] },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { names: { rules: { 'verb-and-object': verbAndObject } } },
    rules: { 'names/verb-and-object': 'error' },
  },
  // Whatever does not go through this file's templates would not be escaped.
  {
    files: ['src/**/*.ts'],
    ignores: ['src/server/page/html.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: ['hono/html', 'hono/jsx'] }] },
  },
  {
    files: ['*.ts', '*.js', 'scripts/**', 'bench/**', 'test/**'],
    rules: { 'no-restricted-syntax': 'off', 'no-console': 'off' },
  },
  // Vitest's matchers are typed as any.
  { files: ['test/**'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off' } },
  {
    files: PLAIN,
    languageOptions: { globals: { process: 'readonly', console: 'readonly', setTimeout: 'readonly' } },
    rules: { 'no-console': 'off' },
  },
  {
    files: ['eslint.config.js', ...PLAIN],
    extends: [tseslint.configs.disableTypeChecked],
  },
);

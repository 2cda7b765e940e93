import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  differenceEuclidean,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  formatHex,
  parse,
  wcagContrast,
  type Color,
} from 'culori';
import { expect, it } from 'vitest';

/** WCAG 1.4.11: parts of graphics and what is next to them. */
const LEAST_CONTRAST = 3;
/** In OKLab. Differences of 0.02 can be seen, but not at opposite ends of a chart. */
const LEAST_DIFFERENCE = 0.09;

const CSS = readFileSync(path.resolve(import.meta.dirname, '../../styles/tokens.css'), 'utf8');
const [LIGHT = '', DARK = ''] = CSS.split("[data-theme='dark']");
const CHARTS = [1, 2, 3, 4, 5, 6].map((place) => `chart-${place}`);

const difference = differenceEuclidean('oklab');
const VISIONS: [string, (color: Color) => Color][] = [
  ['full colour vision', (color) => color],
  ['no red cones', filterDeficiencyProt(1)],
  ['no green cones', filterDeficiencyDeuter(1)],
  ['no blue cones', filterDeficiencyTrit(1)],
];

for (const [theme, css] of [
  ['light', LIGHT],
  ['dark', DARK],
] as const) {
  it.each(VISIONS)(`the colours of charts differ in the ${theme} theme, with %s`, (_, see) => {
    const colors = CHARTS.map((name) => look(see, readColor(css, name)));
    const pairs = colors.flatMap((one, at) => colors.slice(at + 1).map((other) => [one, other] as const));
    expect(pairs).toHaveLength(15);
    const alike = pairs.filter(([one, other]) => difference(one, other) < LEAST_DIFFERENCE);
    expect(alike).toEqual([]);
  });

  it(`the colours of charts stand out from surfaces and from the green of the ${theme} theme`, () => {
    const colors = CHARTS.map((name) => readColor(css, name));
    for (const surface of [readColor(css, 'surface'), readColor(css, 'sunken')]) {
      expect(colors.filter((color) => wcagContrast(color, surface) < LEAST_CONTRAST)).toEqual([]);
    }
    const green = readColor(css, 'accent');
    expect(colors.filter((color) => difference(color, green) < LEAST_DIFFERENCE)).toEqual([]);
  });
}

it('finds colours that are alike', () => {
  const pair = ['#c0504d', '#7f7f2f'] as const;
  const [red, olive] = pair.map((color) => look(filterDeficiencyDeuter(1), color));
  expect(difference(...pair)).toBeGreaterThan(LEAST_DIFFERENCE);
  expect(difference(red ?? '', olive ?? '')).toBeLessThan(LEAST_DIFFERENCE);
});

/** How a colour looks to someone. */
function look(see: (color: Color) => Color, color: string): string {
  const parsed = parse(color);
  if (parsed === undefined) throw new Error(`${color} is no colour.`);
  return formatHex(see(parsed));
}

function readColor(css: string, name: string): string {
  const color = new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(css)?.[1];
  if (color === undefined) throw new Error(`There is no colour ${name}.`);
  return color;
}

import { Buffer } from 'node:buffer';
import { createSeededRandom, type SeededRandom } from '@tollgate/testing/bad-input/seeded-random';

type Members = [name: string, json: string][];

const CASES: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name.charAt(0).toUpperCase() + name.slice(1),
  (name) => name.replace('s', 'ſ'),
  (name) => name.replace('k', '\u212a'),
  (name) => name.replaceAll('_', ''),
  (name) => name.replaceAll('_', '-'),
  (name) => name.replaceAll(/_(.)/g, (_all, letter: string) => letter.toUpperCase()),
];
const MAXIMA = [
  '5',
  '5.0',
  '1e2',
  '1E2',
  'null',
  '"5"',
  '0',
  '-1',
  '1e400',
  '1000000',
  '9007199254740993',
  '50',
];
const FLAGS = ['true', 'false', 'null', '1', '"true"'];
const COUNTS = ['1', '2', '3', 'null', '1.0', '0', '129'];
const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];
const SPACES = ['', ' ', '\n', '\t ', '\r\n'];
const TEXTS =
  String.raw`\ud83d|\ude00\ud83d|\ud83d\ude00|\u0000|\\ud83d|a\/b|\"model\":|é|😀|{\"a\":1}`.split('|');

/**
 * Generates ordinary bodies, and bodies that readers could understand differently.
 * @param bases valid members of the endpoint, without the model
 */
export function createHostileBodies(seed: number, bases: readonly Readonly<Record<string, unknown>>[]) {
  const random = createSeededRandom(seed);
  return (models: readonly string[]): Buffer => {
    const model = JSON.stringify(random.pick(models));
    const members: Members = [
      ['"model"', model],
      ...Object.entries(random.pick(bases)).map(([name, value]): Members[number] => [
        JSON.stringify(name),
        JSON.stringify(value),
      ]),
    ];
    const changes = random.below(4);
    for (let drawn = 0; drawn < changes; drawn += 1) change(members, models, random);
    const space = () => (random.below(4) === 0 ? random.pick(SPACES) : '');
    const text = members
      .map(([name, json]) => `${space()}${name}${space()}:${space()}${json}${space()}`)
      .join(',');
    const tail = random.below(60) === 0 ? random.pick([' {}', 'x', '\0', ' ,']) : '';
    const mark = random.below(40) === 0 ? '\ufeff' : '';
    return Buffer.from(`${mark}{${text}}${tail}`);
  };
}

function change(members: Members, models: readonly string[], random: SeededRandom): void {
  const target = random.pick(members);
  const name: string = JSON.parse(target[0]);
  const place = random.below(members.length + 1);
  const insert = (member: Members[number]) => members.splice(place, 0, member);
  switch (random.below(11)) {
    case 0:
      insert([JSON.stringify(random.pick(CASES)(name)), otherValue(name, target[1], models, random)]);
      return;
    case 1:
      target[0] = JSON.stringify(random.pick(CASES)(name));
      return;
    case 2:
      insert([random.pick([target[0], escaped(name, random)]), otherValue(name, target[1], models, random)]);
      return;
    case 3:
      target[0] = escaped(name, random);
      return;
    case 4:
    case 5:
      put(members, random.pick(LIMITS), random.pick(MAXIMA));
      return;
    case 6:
      put(members, 'stream', random.pick(FLAGS));
      return;
    case 7:
      put(members, random.pick(['n', 'best_of']), random.pick(COUNTS));
      return;
    case 8:
      put(
        members,
        'stream_options',
        `{${random.pick(['"include_usage"', '"Include_Usage"', '"include_u\\u0073age"'])}:${random.pick(FLAGS)}}`,
      );
      return;
    case 9:
      target[1] = target[1].replace(/"(?:content|text|input)":"/, (found) => found + random.pick(TEXTS));
      return;
    default:
      // Inside an object of the body.
      target[1] = target[1].replace(/\{"(\w+)":/, (found, inner: string) =>
        random.pick([
          `{${JSON.stringify(random.pick(CASES)(inner))}:"x","${inner}":`,
          `{"${inner}":"x","${inner}":`,
          `{${escaped(inner, random)}:`,
          found,
        ]),
      );
  }
}

function put(members: Members, name: string, json: string): void {
  const found = members.find(([written]) => written === `"${name}"`);
  if (found === undefined) members.push([`"${name}"`, json]);
  else found[1] = json;
}

function otherValue(name: string, json: string, models: readonly string[], random: SeededRandom): string {
  if (name === 'model') return JSON.stringify(random.pick([...models, 'forbidden']));
  if (name === 'stream') return random.pick(FLAGS);
  return LIMITS.includes(name) ? random.pick(MAXIMA) : json;
}

/** A name with one letter as an escape. */
function escaped(name: string, random: SeededRandom): string {
  const at = random.below(Math.max(name.length, 1));
  const code = name.charCodeAt(at).toString(16).padStart(4, '0');
  return `"${name.slice(0, at)}\\u${code}${name.slice(at + 1)}"`;
}

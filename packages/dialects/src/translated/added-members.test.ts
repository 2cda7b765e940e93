/** A translated answer has only members that the real API sends: some clients reject a null that it never sends. */
import { isMissing } from '@tollgate/testing/missing-tool';
import { loadDialectRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import ADDED from './added-members.json' with { type: 'json' };
import { listMemberPaths } from './member-paths.fixture.ts';
import { translateRandom, translateSamples } from './sample-answers.fixture.ts';
import { translateRecordings } from './translate-recordings.fixture.ts';
import { DIALECTS, getDocuments, type TranslatedAnswer } from './translated-answer.fixture.ts';

/** Number of random answers for each dialect. */
const RANDOM = 200;
/** Recordings of the APIs themselves: compatible providers, gateways and answers that a person wrote can have more. */
const REAL = /^(?:openai|anthropic)\/(?!.*(?:-written|-via-gateway-stream)$)/;

const { source, cases } = loadDialectRecordings(DIALECTS);
const isSkipped = isMissing('recordings', source === 'recordings', 'members of translated answers');
const real = cases.filter(({ name, status }) => REAL.test(name) && status === 200);
const answers = [...translateRecordings(cases), ...translateSamples(), ...translateRandom(RANDOM)];

/** The members of answers, each with an answer that has it. */
function collectMembers(found: readonly Pick<TranslatedAnswer, 'name' | 'isStream' | 'body'>[]) {
  const paths = new Map<string, string>();
  for (const answer of found)
    for (const document of getDocuments(answer))
      for (const path of listMemberPaths(document)) paths.set(path, answer.name);
  return paths;
}

/** `*` means any member that is not null, at any depth. */
function matches(member: string, path: string): boolean {
  if (!member.endsWith('.*')) return member === path;
  return path.startsWith(member.slice(0, -1)) && !path.endsWith(' = null');
}

describe.skipIf(isSkipped).each(DIALECTS)('a translated answer of %s', (dialect) => {
  const recorded = real
    .filter((each) => each.dialect === dialect)
    .map(({ name, isStream, responseBody }) => ({ name, isStream, body: responseBody.toString() }));
  const known = collectMembers(recorded);
  const added = [...collectMembers(answers.filter((answer) => answer.dialect === dialect))].filter(
    ([path]) => !known.has(path),
  );
  const listed = ADDED.filter((each) => each.dialect === dialect).flatMap(({ members }) => members);

  it('has no member that recordings lack, except those with a reason', () => {
    expect(recorded.length).toBeGreaterThan(5);
    const unknown = added.filter(([path]) => !listed.some((member) => matches(member, path)));
    expect(unknown.map(([path, name]) => `${path}, in ${name}`)).toEqual([]);
  });

  it('needs each listed exception', () => {
    expect(listed.filter((member) => !added.some(([path]) => matches(member, path)))).toEqual([]);
  });
});

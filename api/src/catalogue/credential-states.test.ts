import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { CredentialStates } from './credential-states.ts';
import type { Route, RouteCredential } from './route.ts';

const REFUSED = { cause: 'refused', message: null } as const;

const createCredential = (id: string, setAsideAtMs: number | null = null, version = 1): RouteCredential => ({
  id,
  label: id,
  version,
  setAsideAtMs,
});
const toRoutes = (...credentials: RouteCredential[]) =>
  credentials.map((credential) => ({ id: credential.id, credential }) as Route);

/** The states of credentials, with what is written to their store. */
function openStates({ fails = false } = {}) {
  let nowMs = 1_000_000;
  const written: string[] = [];
  const write = async (name: string) => {
    written.push(name);
    if (fails) throw new Error('The database is not available');
    return true;
  };
  const states = new CredentialStates({
    store: { setAside: ({ id }) => write(`set aside ${id}`), restore: ({ id }) => write(`restore ${id}`) },
    clock: { nowMs: () => nowMs },
    log: pino({ enabled: false }),
  });
  const usable = (...credentials: RouteCredential[]) =>
    states.usable(toRoutes(...credentials)).map(({ id }) => id);
  return { states, written, usable, nowMs: () => nowMs, turnMs: (ms: number) => (nowMs += ms) };
}

describe('a credential that its provider refuses', () => {
  it('is not used while another one is left, and is stored once', async () => {
    const { states, written, usable } = openStates();
    const [a, b] = [createCredential('a'), createCredential('b')];
    for (let time = 0; time < 2; time += 1) states.setAside(a, REFUSED);
    await states.close();
    expect(written).toEqual(['set aside a']);
    expect(usable(a, b)).toEqual(['b']);
    expect(usable(a)).toEqual(['a']);
    // With another value it is another credential.
    expect(usable(createCredential('a', null, 2), b)).toEqual(['a', 'b']);
  });

  it('is stored again after a failed write, until the catalogue has it', async () => {
    const { states, written, usable } = openStates({ fails: true });
    const [a, b] = [createCredential('a'), createCredential('b')];
    states.setAside(a, REFUSED);
    await states.close();
    states.noteCatalogue(toRoutes(a, b));
    await states.close();
    expect(written).toEqual(['set aside a', 'set aside a']);
    states.noteCatalogue(toRoutes(createCredential('a', 5), b));
    expect(usable(createCredential('a', 5), b)).toEqual(['b']);
    // An operator has restored it.
    expect(usable(createCredential('a', null, 2), b)).toEqual(['a', 'b']);
    expect(written).toHaveLength(2);
  });

  it('is restored only by a request that started after it was refused', async () => {
    const { states, written, nowMs, turnMs } = openStates();
    const a = createCredential('a');
    states.setAside(a, REFUSED);
    await states.close();
    states.noteServed(a, nowMs());
    expect(written).toEqual(['set aside a']);
    states.noteServed(a, turnMs(1));
    await states.close();
    expect(written).toEqual(['set aside a', 'restore a']);
  });

  it('is restored once, and used at once, before the catalogue has it', async () => {
    const { states, written, usable, turnMs } = openStates();
    const [a, b] = [createCredential('a', 999_000), createCredential('b')];
    expect(usable(a, b)).toEqual(['b']);
    for (let time = 0; time < 3; time += 1) {
      states.noteServed(a, turnMs(1));
      await states.close();
    }
    expect(written).toEqual(['restore a']);
    expect(usable(a, b)).toEqual(['a', 'b']);
    // Another replica sets it aside later.
    expect(usable(createCredential('a', turnMs(1)), b)).toEqual(['b']);
  });

  it('is restored again after a failed write, until the catalogue has it', async () => {
    const { states, written, turnMs } = openStates({ fails: true });
    const [a, b] = [createCredential('a', 999_000), createCredential('b')];
    states.noteServed(a, turnMs(1));
    await states.close();
    states.noteCatalogue(toRoutes(a, b));
    await states.close();
    expect(written).toEqual(['restore a', 'restore a']);
    states.noteCatalogue(toRoutes(createCredential('a', null, 2), b));
    await states.close();
    expect(written).toHaveLength(2);
  });

  it('is not written again while its state is being written', async () => {
    const { states, written, nowMs, turnMs } = openStates();
    const a = createCredential('a');
    states.setAside(a, REFUSED);
    states.noteCatalogue(toRoutes(a));
    states.noteServed(a, turnMs(1));
    expect(written).toEqual(['set aside a']);
    await states.close();
    states.noteServed(a, nowMs());
    expect(written).toEqual(['set aside a', 'restore a']);
    await states.close();
  });

  it('is another one if it was removed meanwhile', async () => {
    const { states, usable, turnMs } = openStates();
    const [a, b] = [createCredential('a'), createCredential('b')];
    states.setAside(a, REFUSED);
    await states.close();
    states.noteServed(a, turnMs(1));
    states.noteCatalogue(toRoutes(b));
    states.setAside(a, REFUSED);
    expect(usable(a, b)).toEqual(['b']);
    await states.close();
  });

  it('is not set aside again within a minute', async () => {
    const { states, written, usable, turnMs } = openStates();
    const [a, b] = [createCredential('a'), createCredential('b')];
    states.setAside(a, REFUSED);
    await states.close();
    states.noteServed(a, turnMs(1));
    await states.close();
    turnMs(59_999);
    states.setAside(a, REFUSED);
    expect(usable(a, b)).toEqual(['a', 'b']);
    turnMs(1);
    states.setAside(a, REFUSED);
    expect(usable(a, b)).toEqual(['b']);
    await states.close();
    expect(written).toEqual(['set aside a', 'restore a', 'set aside a']);
  });
});

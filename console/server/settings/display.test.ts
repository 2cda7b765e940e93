import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { PASSWORD, signUpVerified } from '../testing/people.ts';
import { plant } from '../testing/planted-people.ts';
import { getRefusal } from '../testing/visitor.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await createTestConsole();
});
afterAll(() => site[Symbol.asyncDispose]());

describe('display preferences', () => {
  it('follow the login to another device', async () => {
    const { visitor, email } = await signUpVerified(site);
    const read = async ({ client }: typeof visitor) => (await client.session.get.query()).user?.display;
    expect(await read(visitor)).toEqual({ theme: null, timeZone: null, moneyPrecision: 'rounded' });
    await visitor.client.settings.setDisplay.mutate({ theme: 'dark', timeZone: 'Asia/Kolkata' });
    await visitor.client.settings.setDisplay.mutate({ moneyPrecision: 'exact' });
    await visitor.client.settings.setDisplay.mutate({});
    const device = site.visit();
    await device.client.auth.signIn.mutate({ email, password: PASSWORD });
    const stored = { theme: 'dark', timeZone: 'Asia/Kolkata', moneyPrecision: 'exact' };
    expect(await read(device)).toEqual(stored);
    await device.client.settings.setDisplay.mutate({ timeZone: null });
    expect(await read(visitor)).toEqual({ ...stored, timeZone: null });
    expect(await read((await plant(site)).visitor)).toMatchObject({ theme: null });
  });

  it('are valid', async () => {
    const { visitor } = await plant(site);
    for (const timeZone of ['Mars/Olympus', '+05:30', "'; DROP TABLE users; --"]) {
      const refusal = await getRefusal(visitor.client.settings.setDisplay.mutate({ timeZone }));
      expect(refusal.code).toBe('BAD_REQUEST');
    }
  });
});

import { hash, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { getCookieName, writeCookie } from './browser-cookie.ts';

const COOKIE = 'tollgate_device';
const TOKEN = /^[0-9A-Za-z_-]{22}$/;
const TOKEN_BYTES = 16;
/** The longest time for which browsers keep a cookie; renewed with each sign-in. */
export const DEVICE_LIFE_MS = 400 * 86_400_000;

/** @returns SHA-256 of the device cookie, which names a browser across sessions; null if the browser sent none */
export function readDevice(ctx: Context): Buffer | null {
  const token = readToken(ctx);
  return token === null ? null : hashDevice(token);
}

/** Like `readDevice`, and gives the browser a device cookie or renews it. */
export function keepDevice(ctx: Context): Buffer {
  const token = readToken(ctx) ?? randomBytes(TOKEN_BYTES).toString('base64url');
  const maxAgeSeconds = DEVICE_LIFE_MS / 1000;
  ctx.setCookie(writeCookie(ctx.deps.settings, { name: COOKIE, value: token, maxAgeSeconds }));
  return hashDevice(token);
}

function readToken(ctx: Context): string | null {
  const token = ctx.readCookie(getCookieName(ctx.deps.settings, COOKIE));
  return token !== null && TOKEN.test(token) ? token : null;
}

function hashDevice(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

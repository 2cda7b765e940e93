import type { Context } from 'hono';
import { parse as parseCookies } from 'hono/utils/cookie';
import type { AppEnv } from './app-env.ts';

/** @returns the value of a cookie of the request; null if there is none */
export function readCookie(c: Context<AppEnv>, name: string): string | null {
  return parseCookies(c.req.header('cookie') ?? '', name)[name] ?? null;
}

import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './app-env.ts';

// Radix and Sonner put style elements into the page, so styles may be inline; scripts never are.
const policyFor = (apiOrigin: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    // The playground calls the api as the caller that it is.
    `connect-src 'self' ${apiOrigin}`,
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * @param publicConsoleUrl on https, browsers get an HSTS header
 * @param publicApiUrl the only other origin that pages may call
 */
export function securityHeaders(publicConsoleUrl: string, publicApiUrl: string) {
  const isSecure = publicConsoleUrl.startsWith('https:');
  const policy = policyFor(new URL(publicApiUrl).origin);
  return createMiddleware<AppEnv>(async function securityHeaders(c, next) {
    await next();
    c.header('content-security-policy', policy);
    c.header('x-content-type-options', 'nosniff');
    c.header('x-frame-options', 'DENY');
    // Links carry tokens in their query.
    c.header('referrer-policy', 'no-referrer');
    c.header('cross-origin-opener-policy', 'same-origin');
    c.header('cross-origin-resource-policy', 'same-origin');
    c.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
    if (isSecure) c.header('strict-transport-security', 'max-age=31536000');
  });
}

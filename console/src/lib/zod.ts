import { z } from 'zod';

// Zod probes for `new Function` to compile its parsers, which the console's Content-Security-Policy refuses
// and reports: use the interpreted parsers instead.
z.config({ jitless: true });

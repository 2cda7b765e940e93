import { z } from 'zod';

/** A member that an operator allows: `name`, `owner.name`, `tools.kind`, `plugins.id`, `beta.name` or `stored.kind`. */
export const allowedMemberSchema = z
  .string()
  .trim()
  .regex(
    /^[\w.$:/=-]{1,100}$/,
    'Use the name of a member, such as top_n, provider.order, tools.my_tool or beta.my-beta',
  );

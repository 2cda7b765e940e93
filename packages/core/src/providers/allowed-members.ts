import { z } from 'zod';

/** A request member that an operator allows: `name`, `owner.name`, `tools.kind`, `plugins.id`, `beta.name` or `stored.kind`. */
export const allowedMemberSchema = z
  .string()
  .trim()
  .regex(
    /^[\w.$:/=-]{1,100}$/,
    'Enter the name of a field, such as top_n, provider.order, tools.my_tool or beta.my-beta',
  );

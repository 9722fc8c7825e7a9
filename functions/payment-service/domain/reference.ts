/** What a merchant may call a record: it can stand in a path, and in a key of the table, as it is. */
export const referencePattern = /^[A-Za-z0-9][A-Za-z0-9._~:@+=-]{0,127}$/;

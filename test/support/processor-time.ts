/** Milliseconds of processor time of this thread that the work takes. Unlike a duration, a busy machine does not prolong it. */
export const processorMsOf = async (work: () => unknown): Promise<number> => {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

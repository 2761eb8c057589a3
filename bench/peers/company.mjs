/** Those that are measured side by side. One that fails is named with the reason and left out from then on; the others go on. */

const patienceMs = 120_000;

export function createCompany(members, onLeave) {
  let present = members;
  const leave = (member, error) => {
    present = present.filter(({ name }) => name !== member.name);
    onLeave(member.name, error);
  };
  return {
    present: () => present,
    /** What `act(member)` gives, or undefined when the member had to leave. */
    async ask(member, act) {
      let timer;
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`took longer than ${patienceMs / 1_000} s`)), patienceMs);
      });
      try {
        return await Promise.race([act(member), late]);
      } catch (error) {
        leave(member, error);
        return undefined;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/*
 * Stands in for three libraries of the C library as the agent is linked, and never runs: all of a
 * name in it is the version that the linker is to ask for, in place of the newest. The agent goes
 * into whatever JVM is there, also in a container whose C library is years older than that of the
 * machine it was built on (doc/decisions/0023-old-c-libraries.md). Each of these versions is there
 * in every later one too.
 */
#define NAME(symbol, version)                                                                      \
	void old_##symbol(void);                                                                   \
	void old_##symbol(void)                                                                    \
	{                                                                                          \
	}                                                                                          \
	__asm__(".symver old_" #symbol "," #symbol "@@GLIBC_" version);

#if defined(OLD_m)
/* All that the agent uses: the linker leaves the library itself out. */
NAME(cbrt, "2.2.5")
NAME(erfc, "2.2.5")
NAME(exp, "2.2.5")
NAME(expm1, "2.2.5")
NAME(fmax, "2.2.5")
NAME(fmin, "2.2.5")
NAME(hypot, "2.2.5")
NAME(ldexp, "2.2.5")
NAME(lgamma_r, "2.2.5")
NAME(llround, "2.2.5")
NAME(log, "2.2.5")
NAME(log1p, "2.2.5")
NAME(lround, "2.2.5")
NAME(pow, "2.2.5")
NAME(round, "2.2.5")
NAME(sqrt, "2.2.5")
#elif defined(OLD_dl)
/* Of the loader, which the agent would name as a library then; musl has none of that name. Without
 * a version it is looked for wherever it is. */
void old_tls_get_addr(void) __asm__("__tls_get_addr");
void old_tls_get_addr(void)
{
}
NAME(dladdr, "2.2.5")
NAME(dlclose, "2.2.5")
NAME(dlopen, "2.2.5")
NAME(dlsym, "2.2.5")
#elif defined(OLD_pthread)
NAME(pthread_attr_setstacksize, "2.2.5")
NAME(pthread_condattr_setclock, "2.3.3")
NAME(pthread_create, "2.2.5")
NAME(pthread_detach, "2.2.5")
NAME(pthread_join, "2.2.5")
NAME(pthread_key_create, "2.2.5")
NAME(pthread_mutex_timedlock, "2.2.5")
NAME(pthread_mutex_trylock, "2.2.5")
NAME(pthread_once, "2.2.5")
NAME(pthread_setname_np, "2.12")
NAME(pthread_setspecific, "2.2.5")
NAME(pthread_sigmask, "2.2.5")
NAME(pthread_timedjoin_np, "2.3.3")
NAME(sem_destroy, "2.2.5")
NAME(sem_init, "2.2.5")
NAME(sem_post, "2.2.5")
NAME(sem_wait, "2.2.5")
#endif

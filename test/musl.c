/* Loads the agent in a program of musl's: all names that it asks for are there. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	static const char *const names[] = {"Agent_OnLoad", "Agent_OnAttach", "Agent_OnUnload"};
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library) {
		printf("%s\n", argc == 2 ? dlerror() : "usage: musl LIBRARY");
		return 1;
	}
	for (int i = 0; i < 3; i++)
		if (!dlsym(library, names[i])) {
			printf("%s\n", dlerror());
			return 1;
		}
	return 0;
}

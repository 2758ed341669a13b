/* Of a real VM: test/cli/vm.py. */
#include "hotspot/process_flags.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/tap.h"

TEST(a_process_without_the_library_has_none)
{
	struct process_flags f;
	struct vm_library l = {.file = {0}};
	uint8_t value;
	EXPECT(!process_flags_open(&f, getpid(), &l));
	EXPECT(!f.recorded);
	EXPECT(!process_flags_read(&f, "UseSerialGC", 1, &value));
	EXPECT(!process_flags_open(&f, -1, &l));
}

static bool recorded_with(const char *name)
{
	struct process_flags f;
	struct vm_library l = {.file = {0}};
	char folder[] = "/tmp/process_flags_XXXXXX", path[128];
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	EXPECT(fd >= 0 && ftruncate(fd, 4096) == 0);
	void *at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	EXPECT(at != MAP_FAILED);
	EXPECT_INT(0, unlink(path)); /* as the copy is, once the VM has it */
	(void)process_flags_open(&f, getpid(), &l);
	munmap(at, 4096);
	close(fd);
	EXPECT_INT(0, rmdir(folder));
	return f.recorded;
}

/* In a program that sees another file system it is a copy by another name. */
TEST(the_agent_goes_by_two_names)
{
	EXPECT(recorded_with("libmayfly.so"));
	EXPECT(recorded_with(".mayfly-agent-123-abcdef01.so"));
	EXPECT(!recorded_with("libother.so"));
}
